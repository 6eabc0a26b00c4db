import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import type { Scope } from '../../src/scopes/catalogue.js';
import { RouteDeclarations } from '../../src/scopes/route-declarations.js';
import { ALL_SCOPES, newAccount, newApp, newMarker, newToken, newTokens, type TestApp } from '../support/factories.js';
import { type Answer, Service } from '../support/service.js';

/** Spec §4, "Endpoints guarded by scopes": what each route needs, in the spec's order; `none` is usable without a token. */
const TABLE: [row: RegExp, scope: Scope | 'none'][] = [
  [/^GET \/api\/edits\/mine$/, 'edits:read'],
  [/^GET \/api\/edits\/:id$/, 'edits:read'],
  [/^POST \/api\/edits\/views$/, 'edits:read'],
  [/^POST \/api\/edits$/, 'edits:write'],
  [/^POST \/api\/edits\/evaluate-permissions$/, 'edits:write'],
  [/^POST \/api\/edits\/:id\/accept$/, 'edits:review'],
  [/^POST \/api\/edits\/:id\/reject$/, 'edits:review'],
  [/^POST \/api\/edits\/:id\/revert$/, 'edits:review'],
  [/^GET \/api\/collections\/:id$/, 'none'],
  [/^GET \/api\/collections(\/.*)?$/, 'collections:read'],
  [/^(POST|DELETE) \/api\/collections(\/.*)?$/, 'collections:write'],
  [/^\w+ \/api\/markers(\/.*)?$/, 'markers:read'],
  [/^\w+ \/api\/artists(\/.*)?$/, 'artists:read'],
];

describe('The scope table (spec §4)', () => {
  let service: Service;
  let account: Account;
  let client: TestApp;

  beforeAll(async () => {
    service = await Service.start();
    account = await newAccount(service);
    client = await newApp(service);
  });
  afterAll(() => service.stop());

  const guarded = (): { name: string; method: string; path: string; scope: Scope }[] =>
    service
      .get(RouteDeclarations)
      .list()
      .filter(({ path }) => isResource(path))
      .map(({ method, path }) => ({ name: `${method} ${path}`, method, path, scope: wantedFor(`${method} ${path}`)! }))
      .filter((route): route is typeof route & { scope: Scope } => route.scope !== 'none');
  const call = (method: string, path: string, token?: string): Promise<Answer> =>
    service.call(method, path.replace(/:\w+/g, 'x'), {
      ...(token !== undefined && { token }),
      ...(method === 'POST' && { body: {} }),
    });
  const tokenWith = async (scopes: Scope[]): Promise<string> =>
    (await newTokens(service, { app: client.app, account, scopes })).access_token;

  it('has a row for every route of the API, and every row a route', () => {
    const routes = service
      .get(RouteDeclarations)
      .list()
      .filter(({ path }) => isResource(path));
    const resources = routes.map(({ method, path }) => `${method} ${path}`);
    for (const name of resources) expect({ name, scope: wantedFor(name) }).toEqual({ name, scope: expect.any(String) });
    for (const [row] of TABLE)
      expect({ row, routes: resources.filter((name) => row.test(name)).length > 0 }).toEqual({ row, routes: true });
    expect(resources.filter((name) => name.includes('/api/edits'))).toHaveLength(8);
  });

  it('no token: 401 on every guarded route', async () => {
    for (const { name, method, path } of guarded()) {
      const { status, headers } = await call(method, path);
      expect({ name, status }).toEqual({ name, status: 401 });
      expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  it('a token with all other scopes: 403 with the exact body and header, before the request is looked at', async () => {
    for (const { name, method, path, scope } of guarded()) {
      const token = await tokenWith(ALL_SCOPES.filter((other) => other !== scope));
      const { status, headers, body } = await call(method, path, token);
      expect({ name, status, body }).toEqual({
        name,
        status: 403,
        body: { error: `This app needs the ${scope} scope to do that.` },
      });
      expect(headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${scope}"`);
      expect(headers.get('x-accepted-oauth-scopes')).toBe(scope);
      const spoiled = await service.call(method, path.replace(/:\w+/g, 'x'), {
        token,
        ...(method === 'POST' && { body: '{' }),
      });
      expect({ name, status: spoiled.status }).toEqual({ name, status: 403 });
    }
  });

  it('the right scope alone: passes the gate on every guarded route', async () => {
    for (const { name, method, path, scope } of guarded()) {
      const { status } = await call(method, path, await tokenWith([scope]));
      expect({ name, passed: [200, 201, 204, 400, 404].includes(status) }).toEqual({ name, passed: true });
    }
  });

  it.each(['openid', 'profile', 'email'] as const)('%s alone opens no guarded route', async (scope) => {
    const token = await tokenWith([scope]);
    for (const { name, method, path } of guarded()) {
      expect({ name, status: (await call(method, path, token)).status }).toEqual({ name, status: 403 });
    }
  });

  it('GET /api/collections/:id: none; usable without a token', async () => {
    const owner = await newToken(service, ['collections:write']);
    const marker = await newMarker(service);
    const body = { name: 'For all to see', visibility: 'public' };
    const { id } = (await service.call('POST', '/api/collections', { token: owner, body })).body as { id: string };
    await service.call('POST', `/api/collections/${id}/items`, {
      token: owner,
      body: { items: [{ markerId: marker.id }] },
    });
    const { status, body: collection } = await service.call('GET', `/api/collections/${id}`);
    expect(status).toBe(200);
    expect(collection).toMatchObject({ id, name: 'For all to see', items: [{ artwork: { id: marker.id } }] });
  });

  it('GET /api/collections/:id with a token that is not valid: 401, so that the app refreshes it', async () => {
    const { status, body } = await service.call('GET', '/api/collections/col_01ARZ3NDEKTSV4RRFFQ69G5FAV', {
      token: 'stale',
    });
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'token_invalid' });
  });
});

/** The table is about the map; how tokens are got, and what tells of all this, is not in it. */
function isResource(path: string): boolean {
  return /^\/api\/(?!oauth\/|openapi\.json$)/.test(path);
}

function wantedFor(name: string): Scope | 'none' | undefined {
  return TABLE.find(([row]) => row.test(name))?.[1];
}
