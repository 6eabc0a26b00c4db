import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { type AccessToken, AuthorizationCode, type Options } from 'simple-oauth2';
import { REDIRECT_URI } from '../support/authorize.js';
import { SentPerson, startAsIssuer } from '../support/clients.js';
import { newApp, newMarker } from '../support/factories.js';
import type { Service } from '../support/service.js';

/** How the client shows an answer of the token endpoint that is no 200. */
const REFUSED = {
  output: { statusCode: 400 },
  data: { payload: { error: 'invalid_grant', error_description: expect.any(String) } },
};

/** An authorization request; the client leaves PKCE and state to the app. */
interface Login {
  url: string;
  state: string;
  verifier: string;
}

describe('simple-oauth2:', () => {
  let service: Service;
  let client: AuthorizationCode;

  beforeAll(async () => {
    service = await startAsIssuer();
    client = await newClient();
  });
  afterAll(() => service.stop());

  async function newClient(options: Options['options'] = {}, wrongSecret?: string): Promise<AuthorizationCode> {
    const { client_id: id, client_secret } = (await newApp(service)).credentials;
    const secret = wrongSecret ?? client_secret;
    const auth = {
      tokenHost: service.url,
      tokenPath: '/api/oauth/token',
      revokePath: '/api/oauth/revoke',
      authorizePath: '/api/oauth/authorize',
    };
    return new AuthorizationCode({ client: { id, secret }, auth, options });
  }

  function begin(using: AuthorizationCode, given: Record<string, string> = {}): Login {
    const [state, verifier] = [randomBytes(16).toString('base64url'), randomBytes(32).toString('base64url')];
    const url = using.authorizeURL({
      redirect_uri: REDIRECT_URI,
      scope: ['openid', 'profile', 'markers:read'],
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...given,
    });
    return { url, state, verifier };
  }

  async function finish(using: AuthorizationCode, callback: URL, { state, verifier }: Login): Promise<AccessToken> {
    expect(callback.searchParams.get('state')).toBe(state);
    expect(callback.searchParams.get('iss')).toBe(service.url);
    const code = callback.searchParams.get('code')!;
    return using.getToken({ code, redirect_uri: REDIRECT_URI, code_verifier: verifier });
  }

  async function connect(using: AuthorizationCode): Promise<AccessToken> {
    const login = begin(using);
    return finish(using, await (await SentPerson.new(service)).signInAndAllow(login.url), login);
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
      const person = await SentPerson.new(service);
      const marker = await newMarker(service);

      const login = begin(using);
      const first = await finish(using, await person.signInAndAllow(login.url), login);
      const { access_token, refresh_token, scope } = first.token;
      expect(scope).toBe('openid profile markers:read');
      expect(first.expired(3500)).toBe(false);

      const { id: sub, username } = person.account;
      const userinfo = await service.call('GET', '/api/oauth/userinfo', { token: access_token });
      expect(userinfo.body).toMatchObject({ sub, preferred_username: username });
      const markers = await service.call('GET', '/api/markers', { token: access_token });
      expect(JSON.stringify(markers.body)).toContain(marker.id);

      const second = await first.refresh();
      expect(second.token.refresh_token).not.toBe(refresh_token);
      await expect(first.refresh()).rejects.toMatchObject(REFUSED);

      await second.revoke('refresh_token');
      await expect(second.refresh()).rejects.toMatchObject(REFUSED);
    },
  );

  it('narrows a refresh to some of the scopes', async () => {
    const { token } = await (await connect(client)).refresh({ scope: ['openid', 'markers:read'] });
    expect(token.scope).toBe('openid markers:read');
  });

  it('revokes all that it holds, after which nothing of it can be refreshed', async () => {
    const tokens = await connect(client);
    await tokens.revokeAll();
    await expect(tokens.refresh()).rejects.toMatchObject(REFUSED);
  });

  it('refreshes tokens that it kept elsewhere', async () => {
    const kept = JSON.parse(JSON.stringify(await connect(client))) as Record<string, unknown>;
    const { token } = await client.createToken(kept).refresh();
    expect((await service.call('GET', '/api/markers', { token: token.access_token })).status).toBe(200);
  });

  it('leads the app to login_required, then consent_required, by prompt=none', async () => {
    const person = await SentPerson.new(service);
    const ask = async (): Promise<URLSearchParams> =>
      (await person.passThrough(begin(client, { prompt: 'none' }).url)).searchParams;
    expect((await ask()).get('error')).toBe('login_required');
    await person.signIn(begin(client).url);
    expect((await ask()).get('error')).toBe('consent_required');
  });

  it('leads the app to access_denied where the person denies', async () => {
    const { url, state } = begin(client);
    const { searchParams } = await (await SentPerson.new(service)).signInAndDeny(url);
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'access_denied', state, iss: service.url });
  });

  it('gets no tokens with another verifier than that of the request', async () => {
    const login = begin(client);
    const callback = await (await SentPerson.new(service)).signInAndAllow(login.url);
    const wrong = { ...login, verifier: begin(client).verifier };
    await expect(finish(client, callback, wrong)).rejects.toMatchObject(REFUSED);
  });

  it('gets no tokens with a code of another app', async () => {
    const login = begin(client);
    const callback = await (await SentPerson.new(service)).signInAndAllow(login.url);
    await expect(finish(await newClient(), callback, login)).rejects.toMatchObject(REFUSED);
    expect((await finish(client, callback, login)).token.scope).toContain('markers:read');
  });

  it('gets no tokens with a wrong secret', async () => {
    const impostor = await newClient({}, 'wrong');
    const refused = { output: { statusCode: 401 }, data: { payload: { error: 'invalid_client' } } };
    await expect(impostor.createToken({ refresh_token: 'any' }).refresh()).rejects.toMatchObject(refused);
  });
});
