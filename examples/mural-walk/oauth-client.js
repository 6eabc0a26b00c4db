// OAuth and OpenID Connect: everything that touches a token, but for the calls themselves (api.js).
import * as client from 'openid-client';

export const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT = '4100' } = process.env;
for (const [name, value] of Object.entries({ ISSUER, CLIENT_ID, CLIENT_SECRET })) {
  if (!value) throw new Error(`Set ${name} in the environment; README.md says how.`);
}

/** Where this app is. Its addresses are registered at the service character by character (RFC 9700 §2.1). */
export const APP_ORIGIN = new URL(`http://127.0.0.1:${PORT}`).origin;

/** What the app asks for at first: what its pages need, and no more (RFC 9700 §2.3). */
export const INITIAL_SCOPES =
  'openid profile markers:read artists:read edits:read edits:write collections:read collections:write'.split(' ');

/** What it asks for later, when a person wants to do something that needs it. */
export const INCREMENTAL_SCOPES = ['edits:review'];

/** An error whose message is a sentence for the person. */
export class UserFacingError extends Error {}

/** The person must sign in again: the chain of refresh tokens has ended. */
export class ReauthenticationRequiredError extends UserFacingError {}

// The service says where its endpoints are (RFC 8414). When it runs on this machine its answers travel without TLS, which
// would otherwise make it superfluous to check the id token's signature (OpenID Connect Core §3.1.3.7, 6).
export const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, {
  execute: [client.enableNonRepudiationChecks, ...(ISSUER.startsWith('http:') ? [client.allowInsecureRequests] : [])],
});

/** Begins an authorization. @returns the address at the service to which the person's browser goes */
export async function startAuthorization(session, { scopes, prompt, next }) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  // What the answer is checked against stays here, in the person's own session; by state, for there may be two tabs.
  session.pending.set(state, { verifier, nonce, next });
  return client.buildAuthorizationUrl(config, {
    redirect_uri: `${APP_ORIGIN}/callback`,
    scope: scopes.join(' '),
    state, // the answer belongs to this browser (RFC 6749 §10.12)
    nonce, // the id token belongs to this sign-in (OpenID Connect Core §3.1.2.1)
    code_challenge: await client.calculatePKCECodeChallenge(verifier), // a stolen code is worth nothing (RFC 7636)
    code_challenge_method: 'S256',
    ...(prompt && { prompt }),
  });
}

/** Ends an authorization: its answer is checked, and its code exchanged. @returns where the person wanted to go */
export async function finishAuthorization(session, url) {
  const state = url.searchParams.get('state');
  const pending = session?.pending.get(state);
  if (!pending) throw new UserFacingError('No sign-in that began here is waiting for this answer.');
  session.pending.delete(state);
  const tokens = await client.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: pending.verifier,
    expectedState: state,
    expectedNonce: pending.nonce,
    idTokenExpected: true,
  });
  const { sub } = tokens.claims();
  session.person = await client.fetchUserInfo(config, tokens.access_token, sub); // without `profile`: `sub` alone
  const before = session.grant;
  session.grant = { ...toGrant(tokens), idToken: tokens.id_token, refreshes: 0 };
  // Each authorization has its own chain of refresh tokens: that of the one before is not needed any more.
  if (before) await revokeToken(before);
  return pending.next;
}

/**
 * A new pair of tokens for a grant. A refresh token works once (RFC 9700 §4.14.2), so two requests of one person must
 * not both send it: whoever comes second waits for the first.
 */
export function refreshTokens(grant) {
  grant.refreshing ??= requestTokenRefresh(grant).finally(() => {
    grant.refreshing = undefined;
  });
  return grant.refreshing;
}

async function requestTokenRefresh(grant) {
  try {
    const tokens = await client.refreshTokenGrant(config, grant.refreshToken);
    Object.assign(grant, toGrant(tokens), { refreshes: grant.refreshes + 1 });
  } catch (error) {
    // Used, expired or revoked, for example by the person themselves: nothing but a new authorization helps. Any other
    // failure, such as a service that is away, leaves the token as it was, to be tried again.
    if (error.error === 'invalid_grant')
      throw new ReauthenticationRequiredError(error.error_description, { cause: error });
    throw error;
  }
}

/** Ends a chain of tokens (RFC 7009). Nothing that a person can mend, so a failure is only noted. */
export async function revokeToken({ refreshToken }) {
  await client.tokenRevocation(config, refreshToken).catch((error) => console.error(`Not revoked: ${error.message}`));
}

/** Where a person signs out of the service too (OpenID Connect RP-Initiated Logout §2). */
export function buildLogoutUrl({ idToken }) {
  return client.buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: `${APP_ORIGIN}/` });
}

/** What to keep of a token response. `scope` is what was granted, maybe less than was asked for (RFC 6749 §3.3). */
function toGrant({ access_token, refresh_token, scope, expires_in }) {
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    scopes: scope.split(' '),
    expiresAt: Date.now() + expires_in * 1000,
  };
}
