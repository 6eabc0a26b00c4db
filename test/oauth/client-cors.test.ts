import { afterEach, describe, expect, it } from '@jest/globals';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { generateId } from '../../src/platform/database/ids.js';
import { registerApp } from '../support/factories.js';
import { advanceClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import type { RequestOptions, TestResponse } from '../support/test-server.js';

const ORIGIN = 'https://walk.example.org';
const LOCAL_ORIGIN = 'http://localhost:5173';

describe.each(['token', 'revoke'] as const)('CORS at the %s endpoint', (endpoint) => {
  const path = `/api/oauth/${endpoint}`;
  const fixture = OAuthFixture.use({
    app: () => ({
      clientType: 'public',
      redirectUris: [`${ORIGIN}/callback`, `${LOCAL_ORIGIN}/`, 'http://127.0.0.1:3000/', 'http://[::1]/'],
    }),
  });

  afterEach(restoreClock);

  const preflight = (origin: string): Promise<TestResponse> =>
    fixture.server.request('OPTIONS', path, {
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      },
    });
  const post = async (origin: string, fields: Record<string, unknown> = {}): Promise<TestResponse> => {
    const { refresh_token } = await fixture.issueTokens();
    const body = {
      grant_type: 'refresh_token',
      refresh_token,
      token: refresh_token,
      ...fixture.app.credentials,
      ...fields,
    };
    return fixture.server.request('POST', path, { body, headers: { Origin: origin } });
  };
  const allowedOrigin = ({ headers }: TestResponse): string | null => headers.get('access-control-allow-origin');

  it.each([
    'https://other.example.org',
    'http://walk.example.org',
    `${ORIGIN}:8443`,
    'http://localhost',
    'http://localhost:5174',
    'https://127.0.0.1:3000',
    'http://127.0.0.1:3000.evil.example',
    'http://127.0.0.2:3000',
    'http://127.0.0.1:3000:3000',
    'http://127.0.0.1:',
    'null',
  ])('rejects the origin %s', async (origin) => {
    expect(allowedOrigin(await preflight(origin))).toBeNull();
    const response = await post(origin);
    expect([response.status, allowedOrigin(response)]).toEqual([200, null]);
  });

  it('rejects loopback addresses if the app registered none', async () => {
    const app = await registerApp(fixture.server, { clientType: 'public', redirectUris: [`${ORIGIN}/callback`] });
    expect(allowedOrigin(await post('http://127.0.0.1:3000', app.credentials))).toBeNull();
  });

  it('rejects the origin of another public client in the request, which only its preflight allows', async () => {
    const other = 'https://other-walk.example.org';
    await registerApp(fixture.server, { clientType: 'public', redirectUris: [`${other}/callback`] });
    advanceClock(2 * SECOND_MS);
    expect(allowedOrigin(await preflight(other))).toBe(other);
    expect(allowedOrigin(await post(other))).toBeNull();
  });

  it('rejects the origin of a server app', async () => {
    const origin = 'https://server.example.org';
    const app = await registerApp(fixture.server, { redirectUris: [`${origin}/callback`] });
    advanceClock(2 * SECOND_MS);
    expect(allowedOrigin(await preflight(origin))).toBeNull();
    expect(allowedOrigin(await post(origin, app.credentials))).toBeNull();
  });

  it('rejects the origin of a disabled app in preflight requests', async () => {
    const origin = 'https://disabled.example.org';
    const { app } = await registerApp(fixture.server, { clientType: 'public', redirectUris: [`${origin}/`] });
    await fixture.server.get(AppsService).disable(app.id);
    advanceClock(2 * SECOND_MS);
    expect(allowedOrigin(await preflight(origin))).toBeNull();
  });

  describe('in an error before the client is known', () => {
    const FORM = 'application/x-www-form-urlencoded';
    const oversized = JSON.stringify({ token: 'x'.repeat(70_000) });
    const EARLY_ERRORS: [string, number, string, RequestOptions][] = [
      ['an unreadable body', 400, 'POST', { body: '{' }],
      ['a JSON array', 400, 'POST', { body: [] }],
      ['another content type', 400, 'POST', { body: '{}', headers: { 'Content-Type': 'text/plain' } }],
      ['a body above 64 KiB', 413, 'POST', { body: oversized }],
      ['another method', 405, 'PUT', { body: {} }],
      ['a field sent twice', 400, 'POST', { body: 'client_id=a&client_id=b', headers: { 'Content-Type': FORM } }],
      ['a missing client_id', 401, 'POST', { body: {} }],
      ['an unknown client_id', 401, 'POST', { body: { client_id: generateId('app') } }],
      ['credentials sent twice', 400, 'POST', { body: { client_id: 'a' }, headers: { Authorization: 'Basic Yjpj' } }],
    ];
    const send = (origin: string, method: string, { body, headers }: RequestOptions): Promise<TestResponse> =>
      fixture.server.request(method, path, { body, headers: { ...headers, Origin: origin } });

    it.each(EARLY_ERRORS)(
      'rejects an origin that no public client registered, for %s',
      async (_, status, ...request) => {
        const server = 'https://server-only.example.org';
        await registerApp(fixture.server, { redirectUris: [`${server}/callback`] });
        advanceClock(2 * SECOND_MS);
        for (const origin of ['https://other.example.org', server, 'null']) {
          const response = await send(origin, ...request);
          expect([response.status, allowedOrigin(response)]).toEqual([status, null]);
          expect(response.headers.get('access-control-expose-headers')).toBeNull();
        }
      },
    );

    it.each(EARLY_ERRORS)('allows the origin of a public client, for %s', async (_, status, ...request) => {
      advanceClock(2 * SECOND_MS);
      const response = await send(ORIGIN, ...request);
      expect([response.status, allowedOrigin(response)]).toEqual([status, ORIGIN]);
      expect(response.headers.get('vary')).toContain('Origin');
      expect(response.headers.get('access-control-expose-headers')).toContain('Retry-After');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    });
  });

  it('rejects the origin of a public client in the response to a server app', async () => {
    const app = await registerApp(fixture.server, { redirectUris: [`${ORIGIN}/callback`] });
    advanceClock(2 * SECOND_MS);
    const wrong = await post(ORIGIN, { ...app.credentials, client_secret: 'wrong' });
    expect([wrong.status, allowedOrigin(wrong)]).toEqual([401, null]);
    const missing = await post(ORIGIN, { client_id: app.app.id });
    expect([missing.status, allowedOrigin(missing)]).toEqual([401, null]);
    expect(missing.headers.get('access-control-expose-headers')).toBeNull();
  });

  it.each([
    ORIGIN,
    LOCAL_ORIGIN,
    'http://127.0.0.1:3000',
    'http://127.0.0.1:5173',
    'http://127.0.0.1',
    'http://[::1]:5173',
    'http://[::1]',
  ])('allows the registered origin %s', async (origin) => {
    advanceClock(2 * SECOND_MS);
    const { status, headers } = await preflight(origin);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-methods')).toBe('POST');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    const response = await post(origin);
    expect([response.status, allowedOrigin(response)]).toEqual([200, origin]);
    expect(response.headers.get('vary')).toContain('Origin');
  });

  it('lets a script read the error of its own app', async () => {
    const response = await post(ORIGIN, { client_secret: 'leaked' });
    expect([response.status, allowedOrigin(response)]).toEqual([401, ORIGIN]);
  });

  it('answers preflight requests of a new origin within 2 s', async () => {
    const origin = `https://new-${endpoint}.example.org`;
    expect(allowedOrigin(await preflight(origin))).toBeNull();
    await registerApp(fixture.server, { clientType: 'public', redirectUris: [`${origin}/`] });
    advanceClock(2 * SECOND_MS);
    expect(allowedOrigin(await preflight(origin))).toBe(origin);
  });
});
