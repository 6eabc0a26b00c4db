import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { RouteRegistryService } from '../../src/identity/scopes/route-registry.service.js';
import {
  ALL_SCOPES,
  createAccount,
  registerApp,
  createMarker,
  issueAccessToken,
  issueTokens,
  type TestApp,
} from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';

/** The required scope of each route in the order of spec §4; `none` needs no token. */
const METADATA = 'resource_metadata="https://map.example.org/.well-known/oauth-protected-resource/api"';
const DPOP = 'DPoP algs="ES256 EdDSA RS256"';

const REQUIRED_SCOPES: [row: RegExp, scope: Scope | 'none'][] = [
  [/^GET \/api\/edits\/mine$/, 'edits:read'],
  [/^GET \/api\/edits\/:id$/, 'edits:read'],
  [/^POST \/api\/edits\/views$/, 'edits:read'],
  [/^POST \/api\/edits$/, 'edits:write'],
  [/^POST \/api\/edits\/evaluate-permissions$/, 'edits:write'],
  [/^POST \/api\/edits\/decisions$/, 'edits:review'],
  [/^POST \/api\/edits\/:id\/accept$/, 'edits:review'],
  [/^POST \/api\/edits\/:id\/reject$/, 'edits:review'],
  [/^POST \/api\/edits\/:id\/withdraw$/, 'edits:write'],
  [/^POST \/api\/edits\/:id\/revert$/, 'edits:review'],
  [/^GET \/api\/collections\/:id$/, 'none'],
  [/^GET \/api\/collections(\/.*)?$/, 'collections:read'],
  [/^(POST|DELETE) \/api\/collections(\/.*)?$/, 'collections:write'],
  [/^\w+ \/api\/markers(\/.*)?$/, 'markers:read'],
  [/^\w+ \/api\/artists(\/.*)?$/, 'artists:read'],
];

describe('Required scopes (spec §4)', () => {
  let server: TestServer;
  let account: Account;
  let client: TestApp;

  beforeAll(async () => {
    server = await TestServer.start();
    account = await createAccount(server);
    client = await registerApp(server);
  });
  afterAll(() => server.stop());

  const guarded = (): { name: string; method: string; path: string; scope: Scope }[] =>
    server
      .get(RouteRegistryService)
      .list()
      .filter(({ path }) => isResourcePath(path))
      .map(({ method, path }) => ({
        name: `${method} ${path}`,
        method,
        path,
        scope: findRequiredScope(`${method} ${path}`)!,
      }))
      .filter((route): route is typeof route & { scope: Scope } => route.scope !== 'none');
  const call = (method: string, path: string, token?: string): Promise<TestResponse> =>
    server.request(method, path.replace(/:\w+/g, 'x'), {
      ...(token !== undefined && { token }),
      ...(method === 'POST' && { body: {} }),
    });
  const tokenWith = async (scopes: Scope[]): Promise<string> =>
    (await issueTokens(server, { app: client.app, account, scopes })).access_token;

  it('has one row for every route of the API', () => {
    const routes = server
      .get(RouteRegistryService)
      .list()
      .filter(({ path }) => isResourcePath(path));
    const resources = routes.map(({ method, path }) => `${method} ${path}`);
    for (const name of resources)
      expect({ name, scope: findRequiredScope(name) }).toEqual({ name, scope: expect.any(String) });
    for (const [row] of REQUIRED_SCOPES)
      expect({ row, routes: resources.filter((name) => row.test(name)).length > 0 }).toEqual({ row, routes: true });
    expect(resources.filter((name) => name.includes('/api/edits'))).toHaveLength(10);
  });

  it('rejects a request without a token with 401 on every protected route', async () => {
    for (const { name, method, path } of guarded()) {
      const { status, headers } = await call(method, path);
      expect({ name, status }).toEqual({ name, status: 401 });
      expect(headers.get('www-authenticate')).toBe(`Bearer realm="street-art-map", ${METADATA}, ${DPOP}`);
    }
  });

  it('rejects a token with all other scopes with 403 before it reads the request', async () => {
    for (const { name, method, path, scope } of guarded()) {
      const token = await tokenWith(ALL_SCOPES.filter((other) => other !== scope));
      const { status, headers, body } = await call(method, path, token);
      expect({ name, status, body }).toEqual({
        name,
        status: 403,
        body: { error: `This app needs the ${scope} scope to do that.` },
      });
      expect(headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${scope}", ${METADATA}`);
      expect(headers.get('x-accepted-oauth-scopes')).toBe(scope);
      const malformed = await server.request(method, path.replace(/:\w+/g, 'x'), {
        token,
        ...(method === 'POST' && { body: '{' }),
      });
      expect({ name, status: malformed.status }).toEqual({ name, status: 403 });
    }
  });

  it('accepts the required scope alone on every protected route', async () => {
    for (const { name, method, path, scope } of guarded()) {
      const { status } = await call(method, path, await tokenWith([scope]));
      expect({ name, passed: [200, 201, 204, 400, 404].includes(status) }).toEqual({ name, passed: true });
    }
  });

  it.each(['openid', 'profile', 'email'] as const)('rejects %s alone on every protected route', async (scope) => {
    const token = await tokenWith([scope]);
    for (const { name, method, path } of guarded()) {
      expect({ name, status: (await call(method, path, token)).status }).toEqual({ name, status: 403 });
    }
  });

  it('GET /api/collections/:id accepts a request without a token', async () => {
    const owner = await issueAccessToken(server, ['collections:write']);
    const marker = await createMarker(server);
    const body = { name: 'For all to see', visibility: 'public' };
    const { id } = (await server.request('POST', '/api/collections', { token: owner, body })).body as { id: string };
    await server.request('POST', `/api/collections/${id}/items`, {
      token: owner,
      body: { items: [{ markerId: marker.id }] },
    });
    const { status, body: collection } = await server.request('GET', `/api/collections/${id}`);
    expect(status).toBe(200);
    expect(collection).toMatchObject({ id, name: 'For all to see', items: [{ artwork: { id: marker.id } }] });
  });

  it('GET /api/collections/:id rejects an invalid token with 401', async () => {
    const { status, body } = await server.request('GET', '/api/collections/col_01ARZ3NDEKTSV4RRFFQ69G5FAV', {
      token: 'stale',
    });
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'token_invalid' });
  });
});

/** The table has only the routes of the map, not the endpoints for tokens and documents. */
function isResourcePath(path: string): boolean {
  return /^\/api\/(?!oauth\/|openapi\.json$)/.test(path);
}

function findRequiredScope(name: string): Scope | 'none' | undefined {
  return REQUIRED_SCOPES.find(([row]) => row.test(name))?.[1];
}
