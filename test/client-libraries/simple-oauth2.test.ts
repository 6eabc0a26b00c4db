import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { type AccessToken, AuthorizationCode, type Options } from 'simple-oauth2';
import { REDIRECT_URI } from '../support/authorization-flow.js';
import { ResourceOwner, startIssuer } from '../support/resource-owner.js';
import { registerApp, createMarker } from '../support/factories.js';
import { advanceClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import type { TestServer } from '../support/test-server.js';

/** The error that the library throws for a token response other than 200. */
const INVALID_GRANT_ERROR = {
  output: { statusCode: 400 },
  data: { payload: { error: 'invalid_grant', error_description: expect.any(String) } },
};

const INVALID_CLIENT_ERROR = { output: { statusCode: 401 }, data: { payload: { error: 'invalid_client' } } };

/** An authorization request; the library leaves PKCE and state to the app. */
interface AuthorizationRequest {
  url: string;
  state: string;
  codeVerifier: string;
}

describe('simple-oauth2', () => {
  let server: TestServer;
  let client: AuthorizationCode;

  beforeAll(async () => {
    server = await startIssuer();
    client = await newClient();
  });
  afterAll(() => server.stop());

  async function newClient(options: Options['options'] = {}, wrongSecret?: string): Promise<AuthorizationCode> {
    const { client_id: id, client_secret } = (await registerApp(server)).credentials;
    return newClientWith({ id, secret: wrongSecret ?? client_secret }, options);
  }

  /** Registers a public client. The library omits a missing secret only in a JSON body. */
  async function newPublicClient(
    bodyFormat: 'form' | 'json' = 'json',
    authorizationMethod: 'header' | 'body' = 'body',
  ): Promise<AuthorizationCode> {
    const { id } = (await registerApp(server, { clientType: 'public' })).app;
    return newClientWith({ id }, { authorizationMethod, bodyFormat });
  }

  function newClientWith(credentials: Options['client'], options: Options['options'] = {}): AuthorizationCode {
    const auth = {
      tokenHost: server.url,
      tokenPath: '/api/oauth/token',
      revokePath: '/api/oauth/revoke',
      authorizePath: '/api/oauth/authorize',
    };
    return new AuthorizationCode({ client: credentials, auth, options });
  }

  function startAuthorization(using: AuthorizationCode, parameters: Record<string, string> = {}): AuthorizationRequest {
    const [state, verifier] = [randomBytes(16).toString('base64url'), randomBytes(32).toString('base64url')];
    const url = using.authorizeURL({
      redirect_uri: REDIRECT_URI,
      scope: ['openid', 'profile', 'markers:read'],
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...parameters,
    });
    return { url, state, codeVerifier: verifier };
  }

  async function finishAuthorization(
    using: AuthorizationCode,
    callback: URL,
    { state, codeVerifier }: AuthorizationRequest,
  ): Promise<AccessToken> {
    expect(callback.searchParams.get('state')).toBe(state);
    expect(callback.searchParams.get('iss')).toBe(server.url);
    const code = callback.searchParams.get('code')!;
    return using.getToken({ code, redirect_uri: REDIRECT_URI, code_verifier: codeVerifier });
  }

  async function connect(using: AuthorizationCode): Promise<AccessToken> {
    const login = startAuthorization(using);
    return finishAuthorization(
      using,
      await (await ResourceOwner.create(server)).signInAndGrantConsent(login.url),
      login,
    );
  }

  it.each<Required<NonNullable<Options['options']>>>([
    { authorizationMethod: 'header', bodyFormat: 'form' },
    { authorizationMethod: 'body', bodyFormat: 'form' },
    { authorizationMethod: 'header', bodyFormat: 'json' },
    { authorizationMethod: 'body', bodyFormat: 'json' },
  ])(
    'completes sign-in, refresh and revocation with its secret in the $authorizationMethod and a $bodyFormat',
    async (options) => {
      const using = await newClient(options);
      const owner = await ResourceOwner.create(server);
      const marker = await createMarker(server);

      const login = startAuthorization(using);
      const first = await finishAuthorization(using, await owner.signInAndGrantConsent(login.url), login);
      const { access_token, refresh_token, scope } = first.token;
      expect(scope).toBe('openid profile markers:read');
      expect(first.expired(3500)).toBe(false);

      const { id: sub, username } = owner.account;
      const userinfo = await server.request('GET', '/api/oauth/userinfo', { token: access_token });
      expect(userinfo.body).toMatchObject({ sub, preferred_username: username });
      const markers = await server.request('GET', '/api/markers', { token: access_token });
      expect(JSON.stringify(markers.body)).toContain(marker.id);

      const second = await first.refresh();
      expect(second.token.refresh_token).not.toBe(refresh_token);
      await expect(first.refresh()).rejects.toMatchObject(INVALID_GRANT_ERROR);

      await second.revoke('refresh_token');
      await expect(second.refresh()).rejects.toMatchObject(INVALID_GRANT_ERROR);
    },
  );

  describe('as a public client', () => {
    afterEach(restoreClock);

    it('refreshes its tokens in a form, in which the library sends an empty secret', async () => {
      const tokens = await connect(await newPublicClient('form', 'body'));
      expect((await tokens.refresh()).token.refresh_token).not.toBe(tokens.token.refresh_token);
    });

    it.each(['form', 'json'] as const)(
      'receives no tokens by a %s with credentials in the header, in which the secret is the word undefined',
      async (bodyFormat) => {
        const using = await newPublicClient(bodyFormat, 'header');
        await expect(connect(using)).rejects.toMatchObject(INVALID_CLIENT_ERROR);
      },
    );

    it('receives no tokens with another verifier than that of the request', async () => {
      const using = await newPublicClient();
      const login = startAuthorization(using);
      const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(login.url);
      const wrong = { ...login, codeVerifier: startAuthorization(using).codeVerifier };
      await expect(finishAuthorization(using, callback, wrong)).rejects.toMatchObject(INVALID_GRANT_ERROR);
    });

    it('loses its chain when it reuses a refresh token after 10 s', async () => {
      const first = await connect(await newPublicClient());
      const second = await first.refresh();
      advanceClock(11 * SECOND_MS);
      await expect(first.refresh()).rejects.toMatchObject(INVALID_GRANT_ERROR);
      await expect(second.refresh()).rejects.toMatchObject(INVALID_GRANT_ERROR);
    });

    it('completes sign-in, refresh and revocation without a secret', async () => {
      const first = await connect(await newPublicClient());
      const second = await first.refresh();
      expect(second.token.refresh_token).not.toBe(first.token.refresh_token);
      const { status } = await server.request('GET', '/api/markers', { token: second.token.access_token });
      expect(status).toBe(200);
      await second.revoke('refresh_token');
      await expect(second.refresh()).rejects.toMatchObject(INVALID_GRANT_ERROR);
    });
  });

  it('narrows the scopes with a refresh', async () => {
    const { token } = await (await connect(client)).refresh({ scope: ['openid', 'markers:read'] });
    expect(token.scope).toBe('openid markers:read');
  });

  it('revokes all its tokens', async () => {
    const tokens = await connect(client);
    await tokens.revokeAll();
    await expect(tokens.refresh()).rejects.toMatchObject(INVALID_GRANT_ERROR);
  });

  it('refreshes stored tokens', async () => {
    const stored = JSON.parse(JSON.stringify(await connect(client))) as Record<string, unknown>;
    const { token } = await client.createToken(stored).refresh();
    expect((await server.request('GET', '/api/markers', { token: token.access_token })).status).toBe(200);
  });

  it('receives login_required, then consent_required, with prompt=none', async () => {
    const owner = await ResourceOwner.create(server);
    const send = async (): Promise<URLSearchParams> =>
      (await owner.followToApp(startAuthorization(client, { prompt: 'none' }).url)).searchParams;
    expect((await send()).get('error')).toBe('login_required');
    await owner.signIn(startAuthorization(client).url);
    expect((await send()).get('error')).toBe('consent_required');
  });

  it('receives access_denied when the account denies', async () => {
    const { url, state } = startAuthorization(client);
    const { searchParams } = await (await ResourceOwner.create(server)).signInAndDenyConsent(url);
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'access_denied', state, iss: server.url });
  });

  it('receives no tokens with another verifier than that of the request', async () => {
    const login = startAuthorization(client);
    const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(login.url);
    const wrong = { ...login, codeVerifier: startAuthorization(client).codeVerifier };
    await expect(finishAuthorization(client, callback, wrong)).rejects.toMatchObject(INVALID_GRANT_ERROR);
  });

  it('receives no tokens with a code of another app', async () => {
    const login = startAuthorization(client);
    const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(login.url);
    await expect(finishAuthorization(await newClient(), callback, login)).rejects.toMatchObject(INVALID_GRANT_ERROR);
    expect((await finishAuthorization(client, callback, login)).token.scope).toContain('markers:read');
  });

  it('receives no tokens with a wrong secret', async () => {
    const impostor = await newClient({}, 'wrong');
    const stored = impostor.createToken({ refresh_token: 'any' });
    await expect(stored.refresh()).rejects.toMatchObject(INVALID_CLIENT_ERROR);
  });
});
