import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as client from 'openid-client';
import { REDIRECT_URI } from '../support/authorization-flow.js';
import { computeAtHash, decodeJwtHeader, ResourceOwner, startIssuer } from '../support/resource-owner.js';
import { registerApp, createMarker } from '../support/factories.js';
import type { TestServer } from '../support/test-server.js';

const POST_LOGOUT_REDIRECT_URI = 'https://app.example.org/signed-out';

type SigningAlgorithm = 'RS256' | 'ES256';
type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

/** An authorization request, and what the app keeps to check the answer by. */
interface AuthorizationRequest {
  url: URL;
  checks: client.AuthorizationCodeGrantChecks;
}

describe('openid-client:', () => {
  let server: TestServer;
  let config: client.Configuration;

  beforeAll(async () => {
    server = await startIssuer();
    config = await newConfig();
  });
  afterAll(() => server.stop());

  async function newConfig(
    authentication = client.ClientSecretBasic,
    idTokenAlg: SigningAlgorithm = 'RS256',
    expectedAlg: SigningAlgorithm = idTokenAlg,
  ): Promise<client.Configuration> {
    const { client_id, client_secret } = (
      await registerApp(server, { idTokenAlg, postLogoutRedirectUris: [POST_LOGOUT_REDIRECT_URI] })
    ).credentials;
    const metadata = { id_token_signed_response_alg: expectedAlg };
    return client.discovery(new URL(server.url), client_id, metadata, authentication(client_secret), {
      // By default it looks at the signature of no id token that it fetched itself.
      execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
    });
  }

  async function begin(using: client.Configuration, given: Record<string, string> = {}): Promise<AuthorizationRequest> {
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
    const url = client.buildAuthorizationUrl(using, {
      redirect_uri: REDIRECT_URI,
      scope: 'openid profile email markers:read',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
      ...given,
    });
    return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true } };
  }

  async function connect(using: client.Configuration, person: ResourceOwner): Promise<Tokens> {
    const { url, checks } = await begin(using);
    return client.authorizationCodeGrant(using, await person.signInAndGrantConsent(url), checks);
  }

  it('finds the service by its issuer, and learns that it does PKCE and names itself in its answers', () => {
    const metadata = config.serverMetadata();
    expect(metadata.issuer).toBe(server.url);
    expect(metadata.supportsPKCE('S256')).toBe(true);
    expect(metadata.authorization_response_iss_parameter_supported).toBe(true);
  });

  it.each([
    ['HTTP Basic', client.ClientSecretBasic],
    ['fields of the form', client.ClientSecretPost],
  ])('goes from sign-in to revocation with its secret by %s', async (_, authentication) => {
    const using = await newConfig(authentication);
    const person = await ResourceOwner.create(server);
    const marker = await createMarker(server);

    const { url, checks } = await begin(using);
    const callback = await person.signInAndGrantConsent(url);
    expect(callback.searchParams.get('iss')).toBe(server.url);
    const tokens = await client.authorizationCodeGrant(using, callback, checks);
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'openid profile email markers:read' });
    expect(tokens.expiresIn()).toBeGreaterThan(3500);

    const { sub, name, username, email } = { ...person.account, sub: person.account.id };
    expect(tokens.claims()).toMatchObject({ iss: server.url, sub, nonce: checks.expectedNonce });
    const userinfo = await client.fetchUserInfo(using, tokens.access_token, sub);
    expect(userinfo).toMatchObject({ sub, name, preferred_username: username, email, email_verified: false });

    const markers = new URL('/api/markers', server.url);
    const resource = await client.fetchProtectedResource(using, tokens.access_token, markers, 'GET');
    expect(await resource.text()).toContain(marker.id);

    const refreshed = await client.refreshTokenGrant(using, tokens.refresh_token!);
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect((await client.fetchUserInfo(using, refreshed.access_token, sub)).sub).toBe(sub);
    const refused = { name: 'ResponseBodyError', status: 400, error: 'invalid_grant' };
    await expect(client.refreshTokenGrant(using, tokens.refresh_token!)).rejects.toMatchObject(refused);

    await client.tokenRevocation(using, refreshed.refresh_token!);
    await expect(client.refreshTokenGrant(using, refreshed.refresh_token!)).rejects.toMatchObject(refused);
  });

  it.each<SigningAlgorithm>(['RS256', 'ES256'])(
    'verifies an id token signed by %s with the key it names',
    async (alg) => {
      const using = await newConfig(client.ClientSecretBasic, alg);
      const tokens = await connect(using, await ResourceOwner.create(server));
      const { kid, ...header } = decodeJwtHeader(tokens.id_token!);
      expect(header.alg).toBe(alg);
      expect(client.getJwksCache(using)!.jwks.keys).toContainEqual(expect.objectContaining({ kid, alg }));
      expect(tokens.claims()!.at_hash).toBe(computeAtHash(tokens.access_token));
    },
  );

  it('refuses an id token signed otherwise than it expects', async () => {
    const using = await newConfig(client.ClientSecretBasic, 'ES256', 'RS256');
    const refused = { code: 'OAUTH_INVALID_RESPONSE', cause: { message: expect.stringContaining('"alg"') } };
    await expect(connect(using, await ResourceOwner.create(server))).rejects.toMatchObject(refused);
  });

  it('takes auth_time for the max_age that it asked for', async () => {
    const { url, checks } = await begin(config, { max_age: '60' });
    const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(url);
    const tokens = await client.authorizationCodeGrant(config, callback, { ...checks, maxAge: 60 });
    expect(tokens.claims()!.auth_time).toBeGreaterThan(Date.now() / 1000 - 60);
  });

  it('hears login_required, then consent_required, then gets a code, by prompt=none', async () => {
    const person = await ResourceOwner.create(server);
    const ask = async (): Promise<Tokens> => {
      const { url, checks } = await begin(config, { prompt: 'none' });
      return client.authorizationCodeGrant(config, await person.followToApp(url), checks);
    };
    const refused = { name: 'AuthorizationResponseError', code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' };
    await expect(ask()).rejects.toMatchObject({ ...refused, error: 'login_required' });
    const { url } = await begin(config);
    const consent = await person.signIn(url);
    await expect(ask()).rejects.toMatchObject({ ...refused, error: 'consent_required' });
    await person.grantConsent(consent);
    expect((await ask()).claims()!.sub).toBe(person.account.id);
  });

  it('hears access_denied where the person denies', async () => {
    const { url, checks } = await begin(config);
    const callback = await (await ResourceOwner.create(server)).signInAndDenyConsent(url);
    const denied = { error: 'access_denied', error_description: 'The person did not allow it.' };
    await expect(client.authorizationCodeGrant(config, callback, checks)).rejects.toMatchObject(denied);
  });

  it('signs the person out here too, who comes back to the app', async () => {
    const person = await ResourceOwner.create(server);
    const { id_token } = await connect(config, person);
    const parameters = {
      id_token_hint: id_token!,
      post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
      state: 'a state',
    };
    const { href } = await person.followToApp(client.buildEndSessionUrl(config, parameters));
    expect(href).toBe(`${POST_LOGOUT_REDIRECT_URI}?state=a+state`);
    const { url } = await begin(config, { prompt: 'none' });
    expect((await person.followToApp(url)).searchParams.get('error')).toBe('login_required');
  });

  it('learns from a challenge what its access token lacks', async () => {
    const { access_token, refresh_token } = await connect(config, await ResourceOwner.create(server));
    const narrow = await client.refreshTokenGrant(config, refresh_token!, { scope: 'openid' });
    const call = (token: string): Promise<Response> =>
      client.fetchProtectedResource(config, token, new URL('/api/markers', server.url), 'GET');
    const challenged = (status: number, parameters: Record<string, string>): object => ({
      name: 'WWWAuthenticateChallengeError',
      status,
      cause: [{ scheme: 'bearer', parameters: expect.objectContaining(parameters) }],
    });
    const lacking = challenged(403, { error: 'insufficient_scope', scope: 'markers:read' });
    await expect(call(narrow.access_token)).rejects.toMatchObject(lacking);
    await expect(call(`${access_token}x`)).rejects.toMatchObject(challenged(401, { error: 'invalid_token' }));
  });

  it.each<[string, Partial<client.AuthorizationCodeGrantChecks>, object]>([
    ['another state', { expectedState: 'another' }, { code: 'OAUTH_INVALID_RESPONSE' }],
    ['another nonce', { expectedNonce: 'another' }, { code: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' }],
    [
      'another verifier',
      { pkceCodeVerifier: client.randomPKCECodeVerifier() },
      { error: 'invalid_grant', status: 400 },
    ],
  ])('gets no tokens with %s than that of the request', async (_, wrong, error) => {
    const { url, checks } = await begin(config);
    const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(url);
    await expect(client.authorizationCodeGrant(config, callback, { ...checks, ...wrong })).rejects.toMatchObject(error);
  });

  it('refuses an answer of another issuer, or of none, before the code is shown to anybody', async () => {
    const { url, checks } = await begin(config);
    const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(url);
    const [another, none] = [new URL(callback), new URL(callback)];
    another.searchParams.set('iss', 'https://mix-up.example.org');
    none.searchParams.delete('iss');
    for (const answer of [another, none]) {
      const refused = { code: 'OAUTH_INVALID_RESPONSE', cause: { message: expect.stringContaining('"iss"') } };
      await expect(client.authorizationCodeGrant(config, answer, checks)).rejects.toMatchObject(refused);
    }
    expect((await client.authorizationCodeGrant(config, callback, checks)).access_token).toBeDefined();
  });
});
