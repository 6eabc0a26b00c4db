import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { REDIRECT_URI } from '../support/authorization-flow.js';
import { ResourceOwner, startIssuer } from '../support/resource-owner.js';
import { computeAtHash, decodeJwtHeader } from '../support/jwt.js';
import { registerApp, createMarker } from '../support/factories.js';
import { advanceClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import type { TestServer } from '../support/test-server.js';

/** The rules for the metadata address: OpenID Connect Discovery §4, and RFC 8414 §3. */
type DiscoveryAlgorithm = 'oidc' | 'oauth2';

/** The library rejects HTTP by default. */
const ALLOW_HTTP = { [oauth.allowInsecureRequests]: true };

const CLIENT_AUTHENTICATION_METHODS = [
  ['HTTP Basic', oauth.ClientSecretBasic],
  ['fields of the form', oauth.ClientSecretPost],
] as const;

/** The metadata of a client and its authentication. */
interface RegisteredClient {
  client: oauth.Client;
  clientAuth: oauth.ClientAuth;
}

/** An authorization request, and the values that verify its response. */
interface AuthorizationRequest {
  url: URL;
  state: string;
  nonce: string;
  codeVerifier: string;
}

describe('oauth4webapi', () => {
  let server: TestServer;
  let as: oauth.AuthorizationServer;
  let registered: RegisteredClient;

  beforeAll(async () => {
    server = await startIssuer();
    as = await discover('oidc');
    registered = await register(oauth.ClientSecretBasic);
  });
  afterAll(() => server.stop());

  async function discover(algorithm: DiscoveryAlgorithm, { settings } = server): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(settings.BASE_URL);
    return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm, ...ALLOW_HTTP }));
  }

  async function register(authentication: (secret: string) => oauth.ClientAuth): Promise<RegisteredClient> {
    const { client_id, client_secret } = (await registerApp(server)).credentials;
    return { client: { client_id }, clientAuth: authentication(client_secret) };
  }

  async function registerPublicClient(): Promise<RegisteredClient> {
    const { client_id } = (await registerApp(server, { clientType: 'public' })).credentials;
    return { client: { client_id }, clientAuth: oauth.None() };
  }

  async function startAuthorization(
    { client }: RegisteredClient,
    parameters: Record<string, string> = {},
  ): Promise<AuthorizationRequest> {
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const verifier = oauth.generateRandomCodeVerifier();
    const url = new URL(as.authorization_endpoint!);
    url.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'openid profile email markers:read',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...parameters,
    }).toString();
    return { url, state, nonce, codeVerifier: verifier };
  }

  async function finishAuthorization(
    { client, clientAuth }: RegisteredClient,
    callback: URL,
    { state, nonce, codeVerifier }: AuthorizationRequest,
  ): Promise<oauth.TokenEndpointResponse> {
    const params = oauth.validateAuthResponse(as, client, callback, state);
    const request = [as, client, clientAuth, params, REDIRECT_URI, codeVerifier, ALLOW_HTTP] as const;
    const response = await oauth.authorizationCodeGrantRequest(...request);
    const expected = { expectedNonce: nonce, requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, expected);
    await oauth.validateApplicationLevelSignature(as, response, ALLOW_HTTP);
    return tokens;
  }

  async function refresh(
    { client, clientAuth }: RegisteredClient,
    token: string,
  ): Promise<oauth.TokenEndpointResponse> {
    const response = await oauth.refreshTokenGrantRequest(as, client, clientAuth, token, ALLOW_HTTP);
    return oauth.processRefreshTokenResponse(as, client, response);
  }

  it('finds the same metadata as an OpenID provider and as an OAuth server', async () => {
    expect(await discover('oauth2')).toEqual(as);
    expect(as).toMatchObject({ issuer: server.url, authorization_response_iss_parameter_supported: true });
  });

  it.each<DiscoveryAlgorithm>(['oidc', 'oauth2'])('finds an issuer with a path by the rule of %s', async (rule) => {
    const atPath = await startIssuer('/map');
    try {
      expect((await discover(rule, atPath)).token_endpoint).toBe(`${atPath.url}/map/api/oauth/token`);
    } finally {
      await atPath.stop();
    }
  });

  it.each(CLIENT_AUTHENTICATION_METHODS)(
    'completes sign-in, refresh and revocation with its secret in %s',
    async (_, authentication) => {
      const app = await register(authentication);
      const owner = await ResourceOwner.create(server);
      const marker = await createMarker(server);

      const login = await startAuthorization(app);
      const callback = await owner.signInAndGrantConsent(login.url);
      expect(callback.searchParams.get('iss')).toBe(server.url);
      const tokens = await finishAuthorization(app, callback, login);
      const { id: sub, name, username, email } = owner.account;
      expect(tokens).toMatchObject({
        token_type: 'bearer',
        expires_in: 3600,
        scope: 'openid profile email markers:read',
      });
      expect(decodeJwtHeader(tokens.id_token!).alg).toBe('RS256');
      const claims = { iss: server.url, sub, nonce: login.nonce, at_hash: computeAtHash(tokens.access_token) };
      expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject(claims);

      const response = await oauth.userInfoRequest(as, app.client, tokens.access_token, ALLOW_HTTP);
      const userinfo = await oauth.processUserInfoResponse(as, app.client, sub, response);
      expect(userinfo).toMatchObject({ sub, name, preferred_username: username, email, email_verified: false });

      const markers = new URL('/api/markers', server.url);
      const call = [tokens.access_token, 'GET', markers, undefined, undefined, ALLOW_HTTP] as const;
      expect(await (await oauth.protectedResourceRequest(...call)).text()).toContain(marker.id);

      const refreshed = await refresh(app, tokens.refresh_token!);
      expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
      const rejection = { name: 'ResponseBodyError', status: 400, error: 'invalid_grant' };
      await expect(refresh(app, tokens.refresh_token!)).rejects.toMatchObject(rejection);

      const [revoked, { client, clientAuth: proof }] = [refreshed.refresh_token!, app];
      await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, proof, revoked, ALLOW_HTTP));
      await expect(refresh(app, revoked)).rejects.toMatchObject(rejection);
    },
  );

  describe('as a public client', () => {
    let app: RegisteredClient;

    beforeAll(async () => {
      app = await registerPublicClient();
    });
    afterEach(restoreClock);

    const connect = async (): Promise<oauth.TokenEndpointResponse> => {
      const login = await startAuthorization(app);
      const owner = await ResourceOwner.create(server);
      return finishAuthorization(app, await owner.signInAndGrantConsent(login.url), login);
    };
    const revoke = async ({ client, clientAuth }: RegisteredClient, token: string): Promise<void> =>
      oauth.processRevocationResponse(await oauth.revocationRequest(as, client, clientAuth, token, ALLOW_HTTP));
    const challenged = { name: 'WWWAuthenticateChallengeError', status: 401, cause: [{ scheme: 'basic' }] };
    const rejection = { name: 'ResponseBodyError', status: 400, error: 'invalid_grant' };

    it.each(CLIENT_AUTHENTICATION_METHODS)('receives a challenge for a secret in %s', async (_, authentication) => {
      const { refresh_token } = await connect();
      const withSecret = { ...app, clientAuth: authentication('secret') };
      await expect(refresh(withSecret, refresh_token!)).rejects.toMatchObject(challenged);
      await expect(revoke(withSecret, refresh_token!)).rejects.toMatchObject(challenged);
      expect((await refresh(app, refresh_token!)).refresh_token).toBeDefined();
    });

    it('receives a challenge as a server app without its secret', async () => {
      await expect(refresh({ ...registered, clientAuth: oauth.None() }, 'any')).rejects.toMatchObject(challenged);
    });

    it('receives no tokens without PKCE', async () => {
      const login = await startAuthorization(app, { code_challenge: '', code_challenge_method: '' });
      const callback = await (await ResourceOwner.create(server)).followToApp(login.url);
      await expect(finishAuthorization(app, callback, login)).rejects.toMatchObject({ error: 'invalid_request' });
    });

    it('receives no tokens with another verifier, or with the code of another app', async () => {
      const login = await startAuthorization(app);
      const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(login.url);
      const otherVerifier = { ...login, codeVerifier: oauth.generateRandomCodeVerifier() };
      await expect(finishAuthorization(app, callback, otherVerifier)).rejects.toMatchObject(rejection);
      const other = await registerPublicClient();
      await expect(finishAuthorization(other, callback, login)).rejects.toMatchObject(rejection);
      expect((await finishAuthorization(app, callback, login)).access_token).toBeDefined();
    });

    it('loses its chain when it reuses a refresh token after 10 s', async () => {
      const { refresh_token } = await connect();
      const successor = await refresh(app, refresh_token!);
      advanceClock(11 * SECOND_MS);
      await expect(refresh(app, refresh_token!)).rejects.toMatchObject(rejection);
      await expect(refresh(app, successor.refresh_token!)).rejects.toMatchObject(rejection);
    });

    it('completes sign-in, refresh and revocation without a secret', async () => {
      const tokens = await connect();
      const refreshed = await refresh(app, tokens.refresh_token!);
      expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
      const response = await oauth.userInfoRequest(as, app.client, refreshed.access_token, ALLOW_HTTP);
      expect(response.status).toBe(200);
      await revoke(app, refreshed.refresh_token!);
      await expect(refresh(app, refreshed.refresh_token!)).rejects.toMatchObject(rejection);
    });
  });

  it('validates an access token as a resource server (RFC 9068 §4)', async () => {
    const login = await startAuthorization(registered);
    const owner = await ResourceOwner.create(server);
    const { access_token, id_token } = await finishAuthorization(
      registered,
      await owner.signInAndGrantConsent(login.url),
      login,
    );
    const validate = (token: string): Promise<oauth.JWTAccessTokenClaims> => {
      const request = new Request(server.url, { headers: { authorization: `Bearer ${token}` } });
      return oauth.validateJwtAccessToken(as, request, `${server.url}/api`, ALLOW_HTTP);
    };
    const { client_id } = registered.client;
    const claims = { sub: owner.account.id, client_id, scope: 'openid profile email markers:read' };
    expect(await validate(access_token)).toMatchObject(claims);
    await expect(validate(id_token!)).rejects.toThrow('"typ"');
  });

  it('receives login_required, then consent_required, with prompt=none', async () => {
    const owner = await ResourceOwner.create(server);
    const send = async (): Promise<URLSearchParams> => {
      const { url, state } = await startAuthorization(registered, { prompt: 'none' });
      return oauth.validateAuthResponse(as, registered.client, await owner.followToApp(url), state);
    };
    const rejection = { name: 'AuthorizationResponseError', code: oauth.AUTHORIZATION_RESPONSE_ERROR };
    await expect(send()).rejects.toMatchObject({ ...rejection, error: 'login_required' });
    await owner.signIn((await startAuthorization(registered)).url);
    await expect(send()).rejects.toMatchObject({ ...rejection, error: 'consent_required' });
  });

  it('receives access_denied when the account denies', async () => {
    const login = await startAuthorization(registered);
    const callback = await (await ResourceOwner.create(server)).signInAndDenyConsent(login.url);
    await expect(finishAuthorization(registered, callback, login)).rejects.toMatchObject({ error: 'access_denied' });
  });

  it.each<[string, Partial<AuthorizationRequest>, object]>([
    ['another state', { state: 'another' }, { code: oauth.INVALID_RESPONSE }],
    ['another nonce', { nonce: 'another' }, { code: oauth.JWT_CLAIM_COMPARISON }],
    ['another verifier', { codeVerifier: oauth.generateRandomCodeVerifier() }, { error: 'invalid_grant', status: 400 }],
  ])('receives no tokens with %s than that of the request', async (_, wrong, error) => {
    const login = await startAuthorization(registered);
    const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(login.url);
    await expect(finishAuthorization(registered, callback, { ...login, ...wrong })).rejects.toMatchObject(error);
  });

  it('rejects a response of another issuer', async () => {
    const login = await startAuthorization(registered);
    const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(login.url);
    callback.searchParams.set('iss', 'https://mix-up.example.org');
    const rejection = { code: oauth.INVALID_RESPONSE, message: expect.stringContaining('"iss"') };
    await expect(finishAuthorization(registered, callback, login)).rejects.toMatchObject(rejection);
  });

  it.each(CLIENT_AUTHENTICATION_METHODS)('receives a challenge for a wrong secret in %s', async (_, authentication) => {
    const impostor = { ...registered, clientAuth: authentication('wrong') };
    const challenged = { name: 'WWWAuthenticateChallengeError', status: 401, cause: [{ scheme: 'basic' }] };
    await expect(refresh(impostor, 'any')).rejects.toMatchObject(challenged);
  });
});
