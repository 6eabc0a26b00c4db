// OAuth and OpenID Connect: authorization, refresh and revocation. api.js sends the API calls.
import * as client from 'openid-client';

export const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT = '4100' } = process.env;
for (const [name, value] of Object.entries({ ISSUER, CLIENT_ID, CLIENT_SECRET })) {
  if (!value) throw new Error(`${name} is missing. Set it in the environment; see README.md.`);
}

/** The origin of this app. The service compares redirect URIs as exact strings (RFC 9700 §2.1). */
export const APP_ORIGIN = new URL(`http://127.0.0.1:${PORT}`).origin;

/** The scopes of the first authorization: only those that the pages need (RFC 9700 §2.3). */
export const INITIAL_SCOPES =
  'openid profile markers:read artists:read edits:read edits:write collections:read collections:write'.split(' ');

/** The scopes that the app requests when the user first needs them. */
export const INCREMENTAL_SCOPES = ['edits:review'];

/** An error whose message is shown to the user. */
export class UserFacingError extends Error {}

/** The user must sign in again: the refresh token is used, expired or revoked. */
export class ReauthenticationRequiredError extends UserFacingError {}

// The client library reads the endpoints from the service's metadata (RFC 8414). It skips the
// signature of an ID token that arrives over TLS (OpenID Connect Core §3.1.3.7). A local service
// has no TLS, so the app enables the verification.
export const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, {
  execute: [client.enableNonRepudiationChecks, ...(ISSUER.startsWith('http:') ? [client.allowInsecureRequests] : [])],
});

/** Starts an authorization. @returns the URL of the authorization request */
export async function startAuthorization(session, { scopes, prompt, next }) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  // The session stores the values that verify the response. The key is the state, because a browser
  // can have several tabs.
  session.pending.set(state, { verifier, nonce, next });
  return client.buildAuthorizationUrl(config, {
    redirect_uri: `${APP_ORIGIN}/callback`,
    scope: scopes.join(' '),
    state, // binds the response to this browser (RFC 6749 §10.12)
    nonce, // binds the ID token to this request (OpenID Connect Core §3.1.2.1)
    // makes a stolen code useless (RFC 7636)
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(prompt && { prompt }),
  });
}

/**
 * Verifies the authorization response and exchanges the code.
 * @returns the path that the user requested
 */
export async function finishAuthorization(session, url) {
  const state = url.searchParams.get('state');
  const pending = session?.pending.get(state);
  if (!pending) throw new UserFacingError('This sign-in has expired or started in another browser. Sign in again.');
  session.pending.delete(state);
  const tokens = await client.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: pending.verifier,
    expectedState: state,
    expectedNonce: pending.nonce,
    idTokenExpected: true,
  });
  const { sub } = tokens.claims();
  // without `profile`, only `sub`
  session.person = await client.fetchUserInfo(config, tokens.access_token, sub);
  const previousGrant = session.grant;
  session.grant = { ...toGrant(tokens), idToken: tokens.id_token, refreshes: 0 };
  // Each authorization has its own chain of refresh tokens; the previous chain is obsolete.
  if (previousGrant) await revokeToken(previousGrant);
  return pending.next;
}

/**
 * Refreshes the tokens of a grant. A refresh token works once (RFC 9700 §4.14.2), so concurrent
 * requests of a session share one refresh.
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
    // The token is used, expired or revoked, so only a new authorization helps. After any other
    // error, for example if the service is unavailable, the token may still be valid.
    if (error.error === 'invalid_grant')
      throw new ReauthenticationRequiredError(error.error_description, { cause: error });
    throw error;
  }
}

/** Revokes a chain of tokens (RFC 7009). The user cannot fix a failure, so it is only logged. */
export async function revokeToken({ refreshToken }) {
  await client.tokenRevocation(config, refreshToken).catch((error) => console.error(`Not revoked: ${error.message}`));
}

/**
 * Returns the URL that also signs the user out of the service (OpenID Connect RP-Initiated Logout
 * §2).
 */
export function buildLogoutUrl({ idToken }) {
  return client.buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: `${APP_ORIGIN}/` });
}

/**
 * Returns the stored part of a token response. `scope` can be less than requested (RFC 6749 §3.3).
 */
function toGrant({ access_token, refresh_token, scope, expires_in }) {
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    scopes: scope.split(' '),
    expiresAt: Date.now() + expires_in * 1000,
  };
}
