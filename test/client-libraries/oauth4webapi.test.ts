import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { REDIRECT_URI } from '../support/authorization-flow.js';
import { computeAtHash, decodeJwtHeader, ResourceOwner, startIssuer } from '../support/resource-owner.js';
import { registerApp, createMarker } from '../support/factories.js';
import type { TestServer } from '../support/test-server.js';

/** Where metadata is looked for: OpenID Connect Discovery §4, or RFC 8414 §3. */
type DiscoveryAlgorithm = 'oidc' | 'oauth2';

/** Plain http, which the client takes only where told to. */
const ALLOW_HTTP = { [oauth.allowInsecureRequests]: true };

const CLIENT_AUTHENTICATION_METHODS = [
  ['HTTP Basic', oauth.ClientSecretBasic],
  ['fields of the form', oauth.ClientSecretPost],
] as const;

/** An app: its metadata, and how it says who it is. */
interface RegisteredClient {
  client: oauth.Client;
  clientAuth: oauth.ClientAuth;
}

/** An authorization request, and what the app keeps to check the answer by. */
interface AuthorizationRequest {
  url: URL;
  state: string;
  nonce: string;
  codeVerifier: string;
}

describe('oauth4webapi:', () => {
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

  async function begin(
    { client }: RegisteredClient,
    given: Record<string, string> = {},
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
      ...given,
    }).toString();
    return { url, state, nonce, codeVerifier: verifier };
  }

  async function finish(
    { client, clientAuth }: RegisteredClient,
    callback: URL,
    { state, nonce, codeVerifier }: AuthorizationRequest,
  ): Promise<oauth.TokenEndpointResponse> {
    const params = oauth.validateAuthResponse(as, client, callback, state);
    const asked = [as, client, clientAuth, params, REDIRECT_URI, codeVerifier, ALLOW_HTTP] as const;
    const response = await oauth.authorizationCodeGrantRequest(...asked);
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

  it('finds the same of the service as of an OpenID provider and as of an OAuth server', async () => {
    expect(await discover('oauth2')).toEqual(as);
    expect(as).toMatchObject({ issuer: server.url, authorization_response_iss_parameter_supported: true });
  });

  it.each<DiscoveryAlgorithm>(['oidc', 'oauth2'])(
    'finds a service that is at a path, by the rule of %s',
    async (rule) => {
      const atPath = await startIssuer('/map');
      try {
        expect((await discover(rule, atPath)).token_endpoint).toBe(`${atPath.url}/map/api/oauth/token`);
      } finally {
        await atPath.stop();
      }
    },
  );

  it.each(CLIENT_AUTHENTICATION_METHODS)(
    'goes from sign-in to revocation with its secret by %s',
    async (_, authentication) => {
      const app = await register(authentication);
      const person = await ResourceOwner.create(server);
      const marker = await createMarker(server);

      const login = await begin(app);
      const callback = await person.signInAndGrantConsent(login.url);
      expect(callback.searchParams.get('iss')).toBe(server.url);
      const tokens = await finish(app, callback, login);
      const { id: sub, name, username, email } = person.account;
      expect(tokens).toMatchObject({
        token_type: 'bearer',
        expires_in: 3600,
        scope: 'openid profile email markers:read',
      });
      expect(decodeJwtHeader(tokens.id_token!).alg).toBe('RS256');
      const claims = { iss: server.url, sub, nonce: login.nonce, at_hash: computeAtHash(tokens.access_token) };
      expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject(claims);

      const answer = await oauth.userInfoRequest(as, app.client, tokens.access_token, ALLOW_HTTP);
      const userinfo = await oauth.processUserInfoResponse(as, app.client, sub, answer);
      expect(userinfo).toMatchObject({ sub, name, preferred_username: username, email, email_verified: false });

      const markers = new URL('/api/markers', server.url);
      const call = [tokens.access_token, 'GET', markers, undefined, undefined, ALLOW_HTTP] as const;
      expect(await (await oauth.protectedResourceRequest(...call)).text()).toContain(marker.id);

      const refreshed = await refresh(app, tokens.refresh_token!);
      expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
      const refused = { name: 'ResponseBodyError', status: 400, error: 'invalid_grant' };
      await expect(refresh(app, tokens.refresh_token!)).rejects.toMatchObject(refused);

      const [revoked, { client, clientAuth: proof }] = [refreshed.refresh_token!, app];
      await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, proof, revoked, ALLOW_HTTP));
      await expect(refresh(app, revoked)).rejects.toMatchObject(refused);
    },
  );

  it('validates an access token as a resource server does (RFC 9068 §4)', async () => {
    const login = await begin(registered);
    const person = await ResourceOwner.create(server);
    const { access_token, id_token } = await finish(registered, await person.signInAndGrantConsent(login.url), login);
    const validate = (token: string): Promise<oauth.JWTAccessTokenClaims> => {
      const request = new Request(server.url, { headers: { authorization: `Bearer ${token}` } });
      return oauth.validateJwtAccessToken(as, request, `${server.url}/api`, ALLOW_HTTP);
    };
    const { client_id } = registered.client;
    const claims = { sub: person.account.id, client_id, scope: 'openid profile email markers:read' };
    expect(await validate(access_token)).toMatchObject(claims);
    await expect(validate(id_token!)).rejects.toThrow('"typ"');
  });

  it('hears login_required, then consent_required, by prompt=none', async () => {
    const person = await ResourceOwner.create(server);
    const ask = async (): Promise<URLSearchParams> => {
      const { url, state } = await begin(registered, { prompt: 'none' });
      return oauth.validateAuthResponse(as, registered.client, await person.followToApp(url), state);
    };
    const refused = { name: 'AuthorizationResponseError', code: oauth.AUTHORIZATION_RESPONSE_ERROR };
    await expect(ask()).rejects.toMatchObject({ ...refused, error: 'login_required' });
    await person.signIn((await begin(registered)).url);
    await expect(ask()).rejects.toMatchObject({ ...refused, error: 'consent_required' });
  });

  it('hears access_denied where the person denies', async () => {
    const login = await begin(registered);
    const callback = await (await ResourceOwner.create(server)).signInAndDenyConsent(login.url);
    await expect(finish(registered, callback, login)).rejects.toMatchObject({ error: 'access_denied' });
  });

  it.each<[string, Partial<AuthorizationRequest>, object]>([
    ['another state', { state: 'another' }, { code: oauth.INVALID_RESPONSE }],
    ['another nonce', { nonce: 'another' }, { code: oauth.JWT_CLAIM_COMPARISON }],
    ['another verifier', { codeVerifier: oauth.generateRandomCodeVerifier() }, { error: 'invalid_grant', status: 400 }],
  ])('gets no tokens with %s than that of the request', async (_, wrong, error) => {
    const login = await begin(registered);
    const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(login.url);
    await expect(finish(registered, callback, { ...login, ...wrong })).rejects.toMatchObject(error);
  });

  it('refuses an answer of another issuer', async () => {
    const login = await begin(registered);
    const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(login.url);
    callback.searchParams.set('iss', 'https://mix-up.example.org');
    const refused = { code: oauth.INVALID_RESPONSE, message: expect.stringContaining('"iss"') };
    await expect(finish(registered, callback, login)).rejects.toMatchObject(refused);
  });

  it.each(CLIENT_AUTHENTICATION_METHODS)(
    'is challenged where it sends a wrong secret by %s',
    async (_, authentication) => {
      const impostor = { ...registered, clientAuth: authentication('wrong') };
      const challenged = { name: 'WWWAuthenticateChallengeError', status: 401, cause: [{ scheme: 'basic' }] };
      await expect(refresh(impostor, 'any')).rejects.toMatchObject(challenged);
    },
  );
});
