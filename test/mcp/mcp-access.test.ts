import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { FailedCallsService } from '../../src/identity/apps/failed-calls/failed-calls.service.js';
import { AccessTokensService } from '../../src/identity/scopes/access-tokens.service.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { createAuthorizationRequest, openSignedInBrowser } from '../support/authorization-flow.js';
import { DpopKey } from '../support/dpop-key.js';
import { createAccount, registerApp } from '../support/factories.js';
import { McpCaller, sendMcpMessage } from '../support/mcp-client.js';
import { type TestResponse, TestServer } from '../support/test-server.js';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const METADATA = 'https://map.example.org/.well-known/oauth-protected-resource/mcp';

describe('Access to the MCP server', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  it('starts with a 401 that names the metadata and the first scope', async () => {
    const { status, headers, body } = await sendMcpMessage(server, PING);
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'token_required' });
    const challenge = `Bearer realm="street-art-map", resource_metadata="${METADATA}", scope="markers:read", DPoP algs=`;
    expect(headers.get('www-authenticate')).toContain(challenge);
  });

  it.each([
    ['a token for the API', async () => (await McpCaller.create(server, { resource: 'api' })).token],
    ['a changed token', async () => `${(await McpCaller.create(server)).token}x`],
    ['a word', () => 'word'],
  ])('rejects %s', async (_, createToken) => {
    const { status, headers } = await sendMcpMessage(server, PING, { Authorization: `Bearer ${await createToken()}` });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token".*scope="markers:read"/);
  });

  it('has tokens that the API rejects', async () => {
    const { token } = await McpCaller.create(server);
    const { status, body } = await server.request('GET', '/api/markers', { token });
    expect({ status, error: body.error }).toEqual({
      status: 401,
      error:
        'The access token is for https://map.example.org/mcp, not for https://map.example.org/api. ' +
        'Request a token with the resource https://map.example.org/api.',
    });
  });

  it('takes a token that is bound to a key only with a proof of this key', async () => {
    const key = await DpopKey.create();
    const { account, appId } = await McpCaller.create(server);
    const token = server.get(AccessTokensService).sign(account.id, appId, ['markers:read'], 'mcp', key.jkt);
    const send = (headers: Record<string, string>): Promise<TestResponse> => sendMcpMessage(server, PING, headers);
    const prove = (url: string): Promise<string> => key.sign('POST', url, token);
    const url = 'https://map.example.org/mcp';
    expect((await send({ Authorization: `DPoP ${token}`, DPoP: await prove(url) })).status).toBe(200);
    expect((await send({ Authorization: `DPoP ${token}`, DPoP: await prove(`${url}/x`) })).status).toBe(401);
    expect((await send({ Authorization: `DPoP ${token}` })).body.code).toBe('invalid_dpop_proof');
    expect((await send({ Authorization: `Bearer ${token}` })).status).toBe(401);
  });

  it.each<[tool: string, scopes: Scope[], missing: string]>([
    ['search_artworks', ['artists:read'], 'markers:read'],
    ['get_artwork', ['artists:read'], 'markers:read'],
    ['search_artists', ['markers:read'], 'artists:read'],
    ['get_artist', ['markers:read'], 'artists:read'],
    ['list_my_collections', ['collections:write'], 'collections:read'],
    ['get_collection', ['collections:write'], 'collections:read'],
    ['create_collection', ['collections:read'], 'collections:write'],
    ['add_to_collection', ['collections:read'], 'collections:write'],
    ['remove_from_collection', ['collections:read'], 'collections:write'],
    ['suggest_edit', ['edits:read'], 'edits:write'],
    ['withdraw_edit', ['edits:read'], 'edits:write'],
    ['list_my_edits', ['edits:write'], 'edits:read'],
    ['list_reviewable_edits', ['edits:read'], 'edits:review'],
    ['list_reviewable_edits', ['edits:review'], 'edits:read'],
    ['accept_edit', ['edits:write'], 'edits:review'],
    ['reject_edit', ['edits:write'], 'edits:review'],
    ['revert_edit', ['edits:write'], 'edits:review'],
  ])('rejects %s for a token with %j', async (tool, scopes, missing) => {
    const caller = await McpCaller.create(server, { scopes });
    const { status, headers, body } = await caller.call(tool, {});
    expect({ status, error: body.error }).toEqual({
      status: 403,
      error: `This app needs the ${missing} scope to do that.`,
    });
    expect(headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="${[...scopes, missing].join(' ')}", resource_metadata="${METADATA}"`,
    );
  });

  it('asks for both scopes of the edits to review', async () => {
    const { headers } = await (
      await McpCaller.create(server, { scopes: ['markers:read'] })
    ).call('list_reviewable_edits');
    expect(headers.get('www-authenticate')).toContain('scope="markers:read edits:read edits:review"');
  });

  it('rejects a resource whose scope the token lacks', async () => {
    const caller = await McpCaller.create(server, { scopes: ['artists:read'] });
    const params = { uri: 'artwork://mrk_01JDEM00000000000000000010' };
    const { status } = await caller.send({ jsonrpc: '2.0', id: 1, method: 'resources/read', params });
    expect(status).toBe(403);
  });

  it('rejects a disabled app, and shows missing scopes to its developer', async () => {
    const caller = await McpCaller.create(server, { scopes: ['artists:read'] });
    await caller.call('get_artwork', { id: 'x' });
    const calls = await server.get(FailedCallsService).list(caller.appId);
    expect(calls).toEqual([expect.objectContaining({ endpoint: 'POST /mcp', errorCode: 'insufficient_scope' })]);
    await server.get(AppsService).disable(caller.appId);
    const { status, body } = await caller.send(PING);
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'app_disabled' });
  });

  it.each([
    ['text that is no JSON', '{', {}, 400],
    ['a list of messages', JSON.stringify([PING]), {}, 400],
    ['a form', 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    ['a large body', JSON.stringify({ ...PING, params: 'x'.repeat(70_000) }), {}, 413],
    ['an object that is no message', '{}', {}, 400],
    ['a client that accepts no JSON', JSON.stringify(PING), { Accept: 'text/html' }, 406],
    ['an unknown version', JSON.stringify(PING), { 'Mcp-Protocol-Version': '1999-01-01' }, 400],
  ])('rejects %s', async (_, body, headers, status) => {
    const caller = await McpCaller.create(server);
    expect((await caller.send(body, headers)).status).toBe(status);
    expect((await caller.send(PING)).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it.each(['GET', 'DELETE', 'PUT'])('answers %s with 405', async (method) => {
    const { status, headers, body } = await server.request(method, '/mcp');
    expect({ status, allow: headers.get('allow'), code: body.code }).toEqual({
      status: 405,
      allow: 'POST',
      code: 'method_not_allowed',
    });
  });

  it('lets scripts of every origin call it, without cookies', async () => {
    const origin = { Origin: 'https://assistant.example' };
    const preflight = await server.request('OPTIONS', '/mcp', {
      headers: { ...origin, 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Mcp-Protocol-Version');
    const { status, headers } = await (await McpCaller.create(server)).send(PING, origin);
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('access-control-expose-headers')).toMatch(/Mcp-Session-Id.*WWW-Authenticate/);
    expect((await sendMcpMessage(server, PING, origin)).headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('The limits of the MCP server', () => {
  it('are those of the API, in one count', async () => {
    const server = await TestServer.start({ RATE_LIMITS: 'on', API_READ_LIMIT: '3', API_WRITE_LIMIT: '1' });
    const caller = await McpCaller.create(server);
    const api = await McpCaller.create(server, { ...caller, resource: 'api' });
    expect((await server.request('GET', '/api/markers', { token: api.token })).status).toBe(200);
    expect((await caller.call('search_artworks')).headers.get('x-ratelimit-remaining')).toBe('1');
    expect((await caller.call('create_collection', { name: 'One' })).status).toBe(200);
    const { status, headers, body } = await caller.call('create_collection', { name: 'Two' });
    expect({ status, code: body.code }).toEqual({ status: 429, code: 'rate_limited' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await caller.send(PING)).status).toBe(200);
    expect((await caller.call('search_artworks')).status).toBe(429);
    await server.stop();
  });
});

describe('MCP=off', () => {
  it('removes the server, its metadata and its resource', async () => {
    const server = await TestServer.start({ MCP: 'off' });
    for (const [method, path] of [
      ['POST', '/mcp'],
      ['GET', '/mcp'],
      ['GET', '/.well-known/oauth-protected-resource/mcp'],
    ] as const)
      expect((await server.request(method, path)).status).toBe(404);
    expect((await server.request('GET', '/.well-known/oauth-protected-resource/api')).status).toBe(200);
    const { path } = createAuthorizationRequest(await registerApp(server));
    const browser = await openSignedInBrowser(server, await createAccount(server));
    const { location } = await browser.get(`${path}&resource=https%3A%2F%2Fmap.example.org%2Fmcp`);
    expect(new URL(location!).searchParams.get('error')).toBe('invalid_target');
    await server.stop();
  });
});
