import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuthorizationRequest } from '@openid/appauth';
import type { AuthorizationRequestResponse } from '@openid/appauth/built/authorization_request_handler.js';
import { BrowserClient } from '../support/browser-client.js';
import { createMarker, registerApp, type TestApp } from '../support/factories.js';
import { advanceClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import { findFreePort } from '../support/free-port.js';
import { ResourceOwner, startIssuer } from '../support/resource-owner.js';
import type { TestServer } from '../support/test-server.js';
import { refreshTokens } from '../support/token-endpoint.js';
import { NativeApp } from './appauth-app.js';

const SCHEME_URI = 'org.example.walk:/callback';
const LOOPBACK_HOSTS = ['127.0.0.1', '[::1]'];
const REDIRECT_URIS = [
  'http://127.0.0.1/callback',
  'http://[::1]/callback',
  'http://localhost:4712/callback',
  SCHEME_URI,
];

/** The library reports only the reason phrase of the status. */
const BAD_REQUEST = { message: 'Bad Request' };
const UNAUTHORIZED = { message: 'Unauthorized' };

describe('AppAuth', () => {
  let server: TestServer;
  let registration: TestApp;
  let app: NativeApp;
  let owner: ResourceOwner;

  beforeAll(async () => {
    server = await startIssuer();
    registration = await registerApp(server, { clientType: 'public', redirectUris: REDIRECT_URIS });
    app = await NativeApp.create(server, registration.app.id);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    owner = await ResourceOwner.create(server);
  });
  afterEach(restoreClock);

  const createLoopbackUri = async (host: string): Promise<string> => `http://${host}:${await findFreePort()}/callback`;
  const signIn = (url: string): Promise<URL> => owner.signInAndGrantConsent(url);
  const grantConsent = (url: string): Promise<URL> => owner.grantConsent(url);
  const authorize = (request: AuthorizationRequest, browse = signIn): Promise<AuthorizationRequestResponse> =>
    request.redirectUri === SCHEME_URI
      ? app.authorizeByScheme(request, browse)
      : app.authorizeOnLoopback(request, browse);
  const connect = async (): Promise<string> =>
    (await app.exchangeCode(await authorize(app.createRequest(SCHEME_URI)))).refreshToken!;
  const describeRefresh = async (token: string): Promise<string> =>
    (await refreshTokens(server, registration, token)).body.error_description as string;

  describe('receives no code, only an error page,', () => {
    const open = async (redirectUri: string, using = app): Promise<{ status: number; location: string | null }> => {
      let url = '';
      const capture = (opened: string): Promise<URL> => Promise.resolve(new URL((url = opened)));
      await using.authorizeByScheme(using.createRequest(redirectUri), capture);
      const { pathname, search } = new URL(url);
      return new BrowserClient(server).get(pathname + search);
    };

    it.each([
      'http://localhost:4713/callback',
      'http://localhost/callback',
      'http://127.0.0.1:4712/other',
      'http://127.0.0.1:4712/callback/',
      'http://127.0.0.1:4712/callback?from=map',
      'http://127.0.0.2:4712/callback',
      'http://0.0.0.0:4712/callback',
      'http://[::]:4712/callback',
      'https://127.0.0.1:4712/callback',
      'org.example.walk:/other',
      'org.example.walk://callback',
      'org.example.walk.evil:/callback',
      'org.example.unregistered:/callback',
      'ORG.example.walk:/callback',
    ])('with the redirect URI %s, which is not registered', async (uri) => {
      expect(await open(uri)).toMatchObject({ status: 400, location: null });
    });

    it('with a private-use scheme that another app registered', async () => {
      const other = await registerApp(server, { clientType: 'public', redirectUris: ['org.example.other:/callback'] });
      expect(await open(SCHEME_URI, await NativeApp.create(server, other.app.id))).toMatchObject({ location: null });
    });
  });

  it.each([SCHEME_URI, ...LOOPBACK_HOSTS])(
    'receives an error without PKCE by %s after the person allowed it',
    async (target) => {
      const uri = target === SCHEME_URI ? target : await createLoopbackUri(target);
      await connect();
      const follow = (url: string): Promise<URL> => owner.followToApp(url);
      const { response, error } = await authorize(app.createRequest(uri, {}, false), follow);
      expect({ response, error: error?.error }).toEqual({ response: null, error: 'invalid_request' });
    },
  );

  it.each([SCHEME_URI, ...LOOPBACK_HOSTS])(
    'receives consent_required with prompt=none by %s, although the person allowed it before',
    async (target) => {
      const uri = target === SCHEME_URI ? target : await createLoopbackUri(target);
      await authorize(app.createRequest(uri));
      const request = app.createRequest(uri, { prompt: 'none' });
      const { response, error } = await authorize(request, (url) => owner.followToApp(url));
      expect({ response, error: error?.error }).toEqual({ response: null, error: 'consent_required' });
    },
  );

  it('receives access_denied when the person denies', async () => {
    const request = app.createRequest(await createLoopbackUri('127.0.0.1'));
    const { error } = await authorize(request, (url) => owner.signInAndDenyConsent(url));
    expect(error).toMatchObject({ error: 'access_denied', state: request.state });
  });

  it('receives no tokens without the verifier, with another one, or with a secret', async () => {
    const authorization = await authorize(app.createRequest(SCHEME_URI));
    const { code_verifier } = authorization.request.internal as { code_verifier: string };
    await expect(app.exchangeCode(authorization, {})).rejects.toMatchObject(BAD_REQUEST);
    const other = code_verifier.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'));
    await expect(app.exchangeCode(authorization, { code_verifier: other })).rejects.toMatchObject(BAD_REQUEST);
    const withSecret = { code_verifier, client_secret: 'secret' };
    await expect(app.exchangeCode(authorization, withSecret)).rejects.toMatchObject(UNAUTHORIZED);
    expect((await app.exchangeCode(authorization)).accessToken).toBeDefined();
  });

  it('receives no tokens for a code that was sent to another port or scheme', async () => {
    const authorization = await authorize(app.createRequest(await createLoopbackUri('127.0.0.1')));
    for (const redirectUri of [await createLoopbackUri('127.0.0.1'), 'http://127.0.0.1/callback', SCHEME_URI]) {
      const request = Object.assign(app.createRequest(redirectUri), { internal: authorization.request.internal });
      await expect(app.exchangeCode({ ...authorization, request })).rejects.toMatchObject(BAD_REQUEST);
    }
    expect((await app.exchangeCode(authorization)).accessToken).toBeDefined();
  });

  it('receives no tokens for a code that another app intercepted', async () => {
    const authorization = await authorize(app.createRequest(SCHEME_URI));
    const other = await registerApp(server, { clientType: 'public', redirectUris: [SCHEME_URI] });
    const interceptor = await NativeApp.create(server, other.app.id);
    await expect(interceptor.exchangeCode(authorization)).rejects.toMatchObject(BAD_REQUEST);
    expect((await app.exchangeCode(authorization)).accessToken).toBeDefined();
  });

  it('cannot refresh or revoke with a secret', async () => {
    const token = await connect();
    await expect(app.refresh(token, SCHEME_URI, { client_secret: 'secret' })).rejects.toMatchObject(UNAUTHORIZED);
    await expect(app.revoke(token, 'secret')).rejects.toMatchObject(UNAUTHORIZED);
    expect((await app.refresh(token, SCHEME_URI)).refreshToken).toBeDefined();
  });

  it('ends its chain when it reuses a refresh token after 10 s', async () => {
    const token = await connect();
    const { refreshToken: successor } = await app.refresh(token, SCHEME_URI);
    advanceClock(11 * SECOND_MS);
    await expect(app.refresh(token, SCHEME_URI)).rejects.toMatchObject(BAD_REQUEST);
    await expect(app.refresh(successor!, SCHEME_URI)).rejects.toMatchObject(BAD_REQUEST);
    expect(await describeRefresh(successor!)).toMatch(/revoked/);
  });

  it('keeps its chain when it reuses a refresh token within 10 s and has not used the successor', async () => {
    const token = await connect();
    const { refreshToken: successor } = await app.refresh(token, SCHEME_URI);
    advanceClock(9 * SECOND_MS);
    await expect(app.refresh(token, SCHEME_URI)).rejects.toMatchObject(BAD_REQUEST);
    expect((await app.refresh(successor!, SCHEME_URI)).refreshToken).toBeDefined();
  });

  it.each(LOOPBACK_HOSTS)('signs in on a new port of %s each time, and asks each time', async (host) => {
    const uris = [await createLoopbackUri(host), await createLoopbackUri(host)];
    expect(uris[0]).not.toBe(uris[1]);
    for (const [index, uri] of uris.entries()) {
      const request = app.createRequest(uri);
      const authorization = await authorize(request, index === 0 ? signIn : grantConsent);
      expect(authorization.response!.state).toBe(request.state);
      expect(await app.exchangeCode(authorization)).toMatchObject({ tokenType: 'Bearer', expiresIn: 3600 });
    }
  });

  it.each([SCHEME_URI, ...LOOPBACK_HOSTS])(
    'completes sign-in, API call, refresh and revocation by %s',
    async (target) => {
      const uri = target === SCHEME_URI ? target : await createLoopbackUri(target);
      const marker = await createMarker(server);
      const tokens = await app.exchangeCode(await authorize(app.createRequest(uri)));
      expect(tokens).toMatchObject({ scope: 'openid markers:read', idToken: expect.any(String) });
      expect(tokens.isValid()).toBe(true);

      const refreshed = await app.refresh(tokens.refreshToken!, uri);
      expect(refreshed.refreshToken).not.toBe(tokens.refreshToken);
      const { body } = await server.request('GET', '/api/markers', { token: refreshed.accessToken });
      expect(JSON.stringify(body)).toContain(marker.id);

      expect(await app.revoke(refreshed.refreshToken!)).toBe(true);
      await expect(app.refresh(refreshed.refreshToken!, uri)).rejects.toMatchObject(BAD_REQUEST);
    },
  );
});
