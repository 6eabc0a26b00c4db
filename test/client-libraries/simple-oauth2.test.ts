import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { type AccessToken, AuthorizationCode, type Options } from 'simple-oauth2';
import { REDIRECT_URI } from '../support/authorization-flow.js';
import { ResourceOwner, startIssuer } from '../support/resource-owner.js';
import { registerApp, createMarker } from '../support/factories.js';
import type { TestServer } from '../support/test-server.js';

/** How the client shows an answer of the token endpoint that is no 200. */
const INVALID_GRANT_ERROR = {
  output: { statusCode: 400 },
  data: { payload: { error: 'invalid_grant', error_description: expect.any(String) } },
};

/** An authorization request; the client leaves PKCE and state to the app. */
interface AuthorizationRequest {
  url: string;
  state: string;
  codeVerifier: string;
}

describe('simple-oauth2:', () => {
  let server: TestServer;
  let client: AuthorizationCode;

  beforeAll(async () => {
    server = await startIssuer();
    client = await newClient();
  });
  afterAll(() => server.stop());

  async function newClient(options: Options['options'] = {}, wrongSecret?: string): Promise<AuthorizationCode> {
    const { client_id: id, client_secret } = (await registerApp(server)).credentials;
    const secret = wrongSecret ?? client_secret;
    const auth = {
      tokenHost: server.url,
      tokenPath: '/api/oauth/token',
      revokePath: '/api/oauth/revoke',
      authorizePath: '/api/oauth/authorize',
    };
    return new AuthorizationCode({ client: { id, secret }, auth, options });
  }

  function begin(using: AuthorizationCode, given: Record<string, string> = {}): AuthorizationRequest {
    const [state, verifier] = [randomBytes(16).toString('base64url'), randomBytes(32).toString('base64url')];
    const url = using.authorizeURL({
      redirect_uri: REDIRECT_URI,
      scope: ['openid', 'profile', 'markers:read'],
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...given,
    });
    return { url, state, codeVerifier: verifier };
  }

  async function finish(
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
    const login = begin(using);
    return finish(using, await (await ResourceOwner.create(server)).signInAndGrantConsent(login.url), login);
  }

  it.each<Required<NonNullable<Options['options']>>>([
    { authorizationMethod: 'header', bodyFormat: 'form' },
    { authorizationMethod: 'body', bodyFormat: 'form' },
    { authorizationMethod: 'header', bodyFormat: 'json' },
    { authorizationMethod: 'body', bodyFormat: 'json' },
  ])(
    'goes from sign-in to revocation with its secret in the $authorizationMethod and a $bodyFormat',
    async (options) => {
      const using = await newClient(options);
      const person = await ResourceOwner.create(server);
      const marker = await createMarker(server);

      const login = begin(using);
      const first = await finish(using, await person.signInAndGrantConsent(login.url), login);
      const { access_token, refresh_token, scope } = first.token;
      expect(scope).toBe('openid profile markers:read');
      expect(first.expired(3500)).toBe(false);

      const { id: sub, username } = person.account;
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

  it('narrows a refresh to some of the scopes', async () => {
    const { token } = await (await connect(client)).refresh({ scope: ['openid', 'markers:read'] });
    expect(token.scope).toBe('openid markers:read');
  });

  it('revokes all that it holds, after which nothing of it can be refreshed', async () => {
    const tokens = await connect(client);
    await tokens.revokeAll();
    await expect(tokens.refresh()).rejects.toMatchObject(INVALID_GRANT_ERROR);
  });

  it('refreshes tokens that it kept elsewhere', async () => {
    const kept = JSON.parse(JSON.stringify(await connect(client))) as Record<string, unknown>;
    const { token } = await client.createToken(kept).refresh();
    expect((await server.request('GET', '/api/markers', { token: token.access_token })).status).toBe(200);
  });

  it('leads the app to login_required, then consent_required, by prompt=none', async () => {
    const person = await ResourceOwner.create(server);
    const ask = async (): Promise<URLSearchParams> =>
      (await person.followToApp(begin(client, { prompt: 'none' }).url)).searchParams;
    expect((await ask()).get('error')).toBe('login_required');
    await person.signIn(begin(client).url);
    expect((await ask()).get('error')).toBe('consent_required');
  });

  it('leads the app to access_denied where the person denies', async () => {
    const { url, state } = begin(client);
    const { searchParams } = await (await ResourceOwner.create(server)).signInAndDenyConsent(url);
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'access_denied', state, iss: server.url });
  });

  it('gets no tokens with another verifier than that of the request', async () => {
    const login = begin(client);
    const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(login.url);
    const wrong = { ...login, codeVerifier: begin(client).codeVerifier };
    await expect(finish(client, callback, wrong)).rejects.toMatchObject(INVALID_GRANT_ERROR);
  });

  it('gets no tokens with a code of another app', async () => {
    const login = begin(client);
    const callback = await (await ResourceOwner.create(server)).signInAndGrantConsent(login.url);
    await expect(finish(await newClient(), callback, login)).rejects.toMatchObject(INVALID_GRANT_ERROR);
    expect((await finish(client, callback, login)).token.scope).toContain('markers:read');
  });

  it('gets no tokens with a wrong secret', async () => {
    const impostor = await newClient({}, 'wrong');
    const refused = { output: { statusCode: 401 }, data: { payload: { error: 'invalid_client' } } };
    await expect(impostor.createToken({ refresh_token: 'any' }).refresh()).rejects.toMatchObject(refused);
  });
});
