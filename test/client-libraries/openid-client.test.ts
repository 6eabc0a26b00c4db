import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import * as client from 'openid-client';
import { REDIRECT_URI } from '../support/authorization-flow.js';
import { ResourceOwner, startIssuer } from '../support/resource-owner.js';
import { computeAtHash, decodeJwtHeader } from '../support/jwt.js';
import { registerApp, createMarker } from '../support/factories.js';
import { advanceClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import type { TestServer } from '../support/test-server.js';

const POST_LOGOUT_REDIRECT_URI = 'https://app.example.org/signed-out';

type SigningAlgorithm = 'RS256' | 'ES256';
type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

/** An authorization request, and the values that verify its response. */
interface AuthorizationRequest {
  url: URL;
  checks: client.AuthorizationCodeGrantChecks;
}

describe('openid-client', () => {
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
      // By default the library does not verify the signature of an ID token from the token
      // endpoint.
      execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
    });
  }

  async function startAuthorization(
    using: client.Configuration,
    parameters: Record<string, string> = {},
  ): Promise<AuthorizationRequest> {
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
    const url = client.buildAuthorizationUrl(using, {
      redirect_uri: REDIRECT_URI,
      scope: 'openid profile email markers:read',
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
      ...parameters,
    });
    return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true } };
  }

  async function connect(using: client.Configuration, owner: ResourceOwner): Promise<Tokens> {
    const { url, checks } = await startAuthorization(using);
    return client.authorizationCodeGrant(using, await owner.signInAndGrantConsent(url), checks);
  }

  it('discovers PKCE and the iss parameter by the issuer', () => {
    const metadata = config.serverMetadata();
    expect(metadata.issuer).toBe(server.url);
    expect(metadata.supportsPKCE('S256')).toBe(true);
    expect(metadata.authorization_response_iss_parameter_supported).toBe(true);
  });

  it.each([
    ['HTTP Basic', client.ClientSecretBasic],
    ['fields of the form', client.ClientSecretPost],
  ])('completes sign-in, refresh and revocation with its secret in %s', async (_, authentication) => {
    const using = await newConfig(authentication);
    const owner = await ResourceOwner.create(server);
    const marker = await createMarker(server);

    const { url, checks } = await startAuthorization(using);
    const callback = await owner.signInAndGrantConsent(url);
    expect(callback.searchParams.get('iss')).toBe(server.url);
    const tokens = await client.authorizationCodeGrant(using, callback, checks);
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'openid profile email markers:read' });
    expect(tokens.expiresIn()).toBeGreaterThan(3500);

    const { sub, name, username, email } = { ...owner.account, sub: owner.account.id };
    expect(tokens.claims()).toMatchObject({ iss: server.url, sub, nonce: checks.expectedNonce });
    const userinfo = await client.fetchUserInfo(using, tokens.access_token, sub);
    expect(userinfo).toMatchObject({ sub, name, preferred_username: username, email, email_verified: false });

    const markers = new URL('/api/markers', server.url);
    const resource = await client.fetchProtectedResource(using, tokens.access_token, markers, 'GET');
    expect(await resource.text()).toContain(marker.id);

    const refreshed = await client.refreshTokenGrant(using, tokens.refresh_token!);
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect((await client.fetchUserInfo(using, refreshed.access_token, sub)).sub).toBe(sub);
    const rejection = { name: 'ResponseBodyError', status: 400, error: 'invalid_grant' };
    await expect(client.refreshTokenGrant(using, tokens.refresh_token!)).rejects.toMatchObject(rejection);

    await client.tokenRevocation(using, refreshed.refresh_token!);
    await expect(client.refreshTokenGrant(using, refreshed.refresh_token!)).rejects.toMatchObject(rejection);
  });

  describe('as a public client', () => {
    let clientId: string;
    let publicConfig: client.Configuration;

    const discover = (authentication: client.ClientAuth, id = clientId): Promise<client.Configuration> =>
      client.discovery(new URL(server.url), id, undefined, authentication, { execute: [client.allowInsecureRequests] });

    beforeAll(async () => {
      clientId = (await registerApp(server, { clientType: 'public' })).app.id;
      publicConfig = await discover(client.None());
    });
    afterEach(restoreClock);

    const refresh = (token: string | undefined, using = publicConfig): Promise<Tokens> =>
      client.refreshTokenGrant(using, token!);
    const challenged = { name: 'WWWAuthenticateChallengeError', status: 401 };
    const rejection = { name: 'ResponseBodyError', status: 400, error: 'invalid_grant' };

    it.each([
      ['HTTP Basic', client.ClientSecretBasic],
      ['fields of the form', client.ClientSecretPost],
    ])('receives a challenge for a secret in %s', async (_, authentication) => {
      const { refresh_token } = await connect(publicConfig, await ResourceOwner.create(server));
      const withSecret = await discover(authentication('secret'));
      await expect(refresh(refresh_token, withSecret)).rejects.toMatchObject(challenged);
      await expect(client.tokenRevocation(withSecret, refresh_token!)).rejects.toMatchObject(challenged);
      expect((await refresh(refresh_token)).refresh_token).toBeDefined();
    });

    it('receives a challenge as a server app without its secret', async () => {
      const withoutSecret = await discover(client.None(), (await registerApp(server)).app.id);
      await expect(refresh('any', withoutSecret)).rejects.toMatchObject(challenged);
    });

    it('receives no tokens with another verifier', async () => {
      const { url, checks } = await startAuthorization(publicConfig);
      const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(url);
      const wrong = { ...checks, pkceCodeVerifier: client.randomPKCECodeVerifier() };
      await expect(client.authorizationCodeGrant(publicConfig, callback, wrong)).rejects.toMatchObject(rejection);
      expect((await client.authorizationCodeGrant(publicConfig, callback, checks)).access_token).toBeDefined();
    });

    it('loses its chain when it reuses a refresh token after 10 s', async () => {
      const { refresh_token } = await connect(publicConfig, await ResourceOwner.create(server));
      const successor = await refresh(refresh_token);
      advanceClock(11 * SECOND_MS);
      await expect(refresh(refresh_token)).rejects.toMatchObject(rejection);
      await expect(refresh(successor.refresh_token)).rejects.toMatchObject(rejection);
    });

    it('completes sign-in, refresh and revocation without a secret', async () => {
      const owner = await ResourceOwner.create(server);
      const { refresh_token } = await connect(publicConfig, owner);
      const refreshed = await refresh(refresh_token);
      expect(refreshed.refresh_token).not.toBe(refresh_token);
      expect(await client.fetchUserInfo(publicConfig, refreshed.access_token, owner.account.id)).toBeDefined();
      await client.tokenRevocation(publicConfig, refreshed.refresh_token!);
      await expect(refresh(refreshed.refresh_token)).rejects.toMatchObject(rejection);
    });
  });

  it.each<SigningAlgorithm>(['RS256', 'ES256'])('verifies an ID token signed with %s', async (alg) => {
    const using = await newConfig(client.ClientSecretBasic, alg);
    const tokens = await connect(using, await ResourceOwner.create(server));
    const { kid, ...header } = decodeJwtHeader(tokens.id_token!);
    expect(header.alg).toBe(alg);
    expect(client.getJwksCache(using)!.jwks.keys).toContainEqual(expect.objectContaining({ kid, alg }));
    expect(tokens.claims()!.at_hash).toBe(computeAtHash(tokens.access_token));
  });

  it('rejects an ID token with another algorithm than expected', async () => {
    const using = await newConfig(client.ClientSecretBasic, 'ES256', 'RS256');
    const rejection = { code: 'OAUTH_INVALID_RESPONSE', cause: { message: expect.stringContaining('"alg"') } };
    await expect(connect(using, await ResourceOwner.create(server))).rejects.toMatchObject(rejection);
  });

  it('accepts auth_time for its max_age', async () => {
    const { url, checks } = await startAuthorization(config, { max_age: '60' });
    const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(url);
    const tokens = await client.authorizationCodeGrant(config, callback, { ...checks, maxAge: 60 });
    expect(tokens.claims()!.auth_time).toBeGreaterThan(Date.now() / 1000 - 60);
  });

  it('receives login_required, then consent_required, then a code, with prompt=none', async () => {
    const owner = await ResourceOwner.create(server);
    const send = async (): Promise<Tokens> => {
      const { url, checks } = await startAuthorization(config, { prompt: 'none' });
      return client.authorizationCodeGrant(config, await owner.followToApp(url), checks);
    };
    const rejection = { name: 'AuthorizationResponseError', code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' };
    await expect(send()).rejects.toMatchObject({ ...rejection, error: 'login_required' });
    const { url } = await startAuthorization(config);
    const consent = await owner.signIn(url);
    await expect(send()).rejects.toMatchObject({ ...rejection, error: 'consent_required' });
    await owner.grantConsent(consent);
    expect((await send()).claims()!.sub).toBe(owner.account.id);
  });

  it('receives access_denied when the account denies', async () => {
    const { url, checks } = await startAuthorization(config);
    const callback = await (await ResourceOwner.create(server)).signInAndDenyConsent(url);
    const denied = { error: 'access_denied', error_description: 'The person denied the request.' };
    await expect(client.authorizationCodeGrant(config, callback, checks)).rejects.toMatchObject(denied);
  });

  it('signs the account out, and gets it back', async () => {
    const owner = await ResourceOwner.create(server);
    const { id_token } = await connect(config, owner);
    const parameters = {
      id_token_hint: id_token!,
      post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
      state: 'a state',
    };
    const { href } = await owner.followToApp(client.buildEndSessionUrl(config, parameters));
    expect(href).toBe(`${POST_LOGOUT_REDIRECT_URI}?state=a+state`);
    const { url } = await startAuthorization(config, { prompt: 'none' });
    expect((await owner.followToApp(url)).searchParams.get('error')).toBe('login_required');
  });

  it('reads the missing scope from a challenge', async () => {
    const { access_token, refresh_token } = await connect(config, await ResourceOwner.create(server));
    const narrow = await client.refreshTokenGrant(config, refresh_token!, { scope: 'openid' });
    const call = (token: string): Promise<Response> =>
      client.fetchProtectedResource(config, token, new URL('/api/markers', server.url), 'GET');
    const challenged = (status: number, parameters: Record<string, string>, ...others: object[]): object => ({
      name: 'WWWAuthenticateChallengeError',
      status,
      cause: [{ scheme: 'bearer', parameters: expect.objectContaining(parameters) }, ...others],
    });
    const lacking = challenged(403, { error: 'insufficient_scope', scope: 'markers:read' });
    await expect(call(narrow.access_token)).rejects.toMatchObject(lacking);
    const dpop = { scheme: 'dpop', parameters: { algs: 'ES256 EdDSA RS256' } };
    const invalid = challenged(401, { error: 'invalid_token' }, dpop);
    await expect(call(`${access_token}x`)).rejects.toMatchObject(invalid);
  });

  it.each<[string, Partial<client.AuthorizationCodeGrantChecks>, object]>([
    ['another state', { expectedState: 'another' }, { code: 'OAUTH_INVALID_RESPONSE' }],
    ['another nonce', { expectedNonce: 'another' }, { code: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' }],
    [
      'another verifier',
      { pkceCodeVerifier: client.randomPKCECodeVerifier() },
      { error: 'invalid_grant', status: 400 },
    ],
  ])('receives no tokens with %s than that of the request', async (_, wrong, error) => {
    const { url, checks } = await startAuthorization(config);
    const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(url);
    await expect(client.authorizationCodeGrant(config, callback, { ...checks, ...wrong })).rejects.toMatchObject(error);
  });

  it('rejects a response of another issuer or of none before it sends the code', async () => {
    const { url, checks } = await startAuthorization(config);
    const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(url);
    const [another, none] = [new URL(callback), new URL(callback)];
    another.searchParams.set('iss', 'https://mix-up.example.org');
    none.searchParams.delete('iss');
    for (const response of [another, none]) {
      const rejection = { code: 'OAUTH_INVALID_RESPONSE', cause: { message: expect.stringContaining('"iss"') } };
      await expect(client.authorizationCodeGrant(config, response, checks)).rejects.toMatchObject(rejection);
    }
    expect((await client.authorizationCodeGrant(config, callback, checks)).access_token).toBeDefined();
  });
});
