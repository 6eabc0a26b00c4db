import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { RouteRegistryService } from '../../src/identity/scopes/route-registry.service.js';
import { registerApp, issueAccessToken } from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';

const JSON_HEADERS = { 'Content-Type': 'application/json' };
const DEEPLY_NESTED_JSON = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

/** Bodies that every endpoint of the API rejects. */
const MALFORMED_BODIES: [what: string, body: string | Uint8Array, headers: Record<string, string>][] = [
  ['JSON cut short', '{"name":', JSON_HEADERS],
  ['a JSON array', '[]', JSON_HEADERS],
  ['JSON null', 'null', JSON_HEADERS],
  ['a JSON number', '1e999', JSON_HEADERS],
  ['a member twice', '{"name":"a","name":"b"}', JSON_HEADERS],
  ['unknown members', '{"__proto__":{"admin":true},"constructor":1,"nonsense":[{}]}', JSON_HEADERS],
  [
    'nesting without end',
    `{"changes":${DEEPLY_NESTED_JSON},"items":${DEEPLY_NESTED_JSON},"ids":${DEEPLY_NESTED_JSON},"comment":${DEEPLY_NESTED_JSON}}`,
    JSON_HEADERS,
  ],
  [
    'the wrong types',
    '{"name":[],"items":"x","ids":{},"changes":7,"comment":{},"type":[],"targetType":null}',
    JSON_HEADERS,
  ],
  [
    'null for all',
    '{"name":null,"items":null,"ids":null,"type":null,"targetType":null,"changes":null,"comment":null}',
    JSON_HEADERS,
  ],
  ['items of the wrong types', '{"items":[null,7,[],{"markerId":{}},{"editId":[]}],"ids":[null,{},7]}', JSON_HEADERS],
  [
    'control and bidi characters',
    JSON.stringify({ name: 'a\u0000b', comment: '\u202eabc', items: [], ids: ['\u0000'] }),
    JSON_HEADERS,
  ],
  ['half of a surrogate pair', '{"name":"\\ud800","comment":"\\udfff\\udfff\\udfff","ids":["\\ud800"]}', JSON_HEADERS],
  [
    'huge numbers',
    '{"type":"update","targetType":"artwork","targetId":"x","baseVersion":1e308,"changes":{"year":1e308}}',
    JSON_HEADERS,
  ],
  [
    'a member twice, deep down',
    '{"name":"a","changes":{"title":"a","title":"b"},"items":[{"a":1,"a":1}]}',
    JSON_HEADERS,
  ],
  ['bytes that are no UTF-8', Buffer.from('{"name":"a\xff\xfe","token":"\xff"}', 'latin1'), JSON_HEADERS],
  ['another charset', '{"name":"a","token":"a"}', { 'Content-Type': 'application/json; charset=iso-8859-1' }],
  ['more code points than seem', JSON.stringify({ name: 'a\ufe0f'.repeat(100) }), JSON_HEADERS],
  ['an unknown charset', '{}', { 'Content-Type': 'application/json; charset=klingon' }],
  ['another type', '<a/>', { 'Content-Type': 'application/xml' }],
  ['a form', 'name=a', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['a malformed type', '{}', { 'Content-Type': ';;;' }],
  ['an encoding that it is not in', '{}', { ...JSON_HEADERS, 'Content-Encoding': 'gzip' }],
  ['an unknown encoding', '{}', { ...JSON_HEADERS, 'Content-Encoding': 'rot13' }],
  ['more than 64 KiB', JSON.stringify({ name: 'x'.repeat(70_000) }), JSON_HEADERS],
];

/** API endpoints that respond with a page, and endpoints that read only a token. */
const NON_API_PATH_PATTERN = /^\/api\/(oauth\/(authorize|logout|userinfo|jwks)|openapi\.json)$/;

/** Ids without a row, and malformed ids. */
const INVALID_IDS = [
  'x',
  'edt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  '%00',
  '%E0%A4%A',
  '%2e%2e',
  "'%20OR%201=1",
  'a'.repeat(5000),
  '😀',
];

const INVALID_QUERIES = [
  'limit=0',
  'limit=501',
  'limit=-1',
  'limit=1e9',
  'limit=ten',
  'limit=0x10',
  'limit=1e1',
  'limit=%205',
  'limit=',
  'limit=1&limit=2',
  'limit[]=1',
  'limit[a]=1',
  'cursor=x',
  'cursor=' + Buffer.from('[1,2,3]').toString('base64url'),
  'cursor=' + Buffer.from('{"a":1}').toString('base64url'),
  'cursor=a&cursor=b',
  'nonsense=1',
  'kind=castle',
  'status=lost',
  '%E0%A4%A=1',
];

describe('Malformed input', () => {
  let server: TestServer;
  let token: string;
  let basic: string;

  beforeAll(async () => {
    server = await TestServer.start();
    token = await issueAccessToken(server);
    const { client_id, client_secret } = (await registerApp(server)).credentials;
    basic = `Basic ${btoa(`${client_id}:${client_secret}`)}`;
  });
  afterAll(() => server.stop());

  const routes = (): { method: string; path: string }[] =>
    server
      .get(RouteRegistryService)
      .list()
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/') && !NON_API_PATH_PATTERN.test(path));
  const expectNoServerError = (what: string, { status, body, headers }: TestResponse): void => {
    expect({ what, calm: status < 500 }).toEqual({ what, calm: true });
    const text = JSON.stringify(body);
    expect({ what, length: text.length < 10_000 }).toEqual({ what, length: true });
    expect({ what, leaks: /node_modules|\bat .*\.[jt]s|sqlite|postgres|typeorm/i.exec(text)?.[0] }).toEqual({ what });
    if (status >= 400)
      expect({ what, json: headers.get('content-type') }).toMatchObject({ json: expect.stringMatching(/json/) });
    if (status >= 400) expect({ what, error: typeof body.error }).toEqual({ what, error: 'string' });
  };

  it.each(MALFORMED_BODIES)(
    'in a body, %s: is rejected by every endpoint in its own error shape',
    async (what, body, headers) => {
      for (const { method, path } of routes().filter((route) => route.method === 'POST')) {
        const authorization: Record<string, string> = path.startsWith('/api/oauth/') ? { Authorization: basic } : {};
        for (const id of ['x', 'edt_01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
          const response = await server.request(method, path.replace(':id', id), {
            token,
            body,
            headers: { ...headers, ...authorization },
          });
          expectNoServerError(`${method} ${path} ${what}`, response);
          expect(response.status).toBeGreaterThanOrEqual(400);
        }
      }
    },
  );

  it.each(['__proto__', 'constructor'])('reports the member %s as unknown at any level', async (name) => {
    const bodies: [path: string, body: string, unknown: string][] = [
      ['/api/collections', `{"name":"Foxes","${name}":{"admin":true}}`, name],
      ['/api/collections', `{"name":"Foxes","${name}":null}`, name],
      [
        '/api/edits',
        `{"type":"update","targetType":"artwork","targetId":"x","baseVersion":1,"changes":{"${name}":1}}`,
        `changes.${name}`,
      ],
      ['/api/edits/evaluate-permissions', `{"items":[{"${name}":1}]}`, `items.0.${name}`],
    ];
    for (const [path, body, unknown] of bodies) {
      const response = await server.request('POST', path, { token, body });
      expect({ body, status: response.status }).toEqual({ body, status: 400 });
      expect(response.body).toMatchObject({
        code: 'invalid_request',
        details: [{ path: unknown, code: 'unknown_member' }],
      });
    }
    const { status, body } = await server.request('GET', `/api/markers?${name}=1`, { token });
    expect({ status, details: body.details }).toMatchObject({ status: 400, details: [{ code: 'unknown_member' }] });
  });

  it.each(['__proto__', 'constructor'])('ignores the member %s at the token and revoke endpoints', async (name) => {
    const headers = { 'Content-Type': 'application/json', Authorization: basic };
    const revocation = { body: `{"token":"any","${name}":{"client_id":"x"}}`, headers };
    expect((await server.request('POST', '/api/oauth/revoke', revocation)).status).toBe(200);
    const refresh = { body: `{"grant_type":"refresh_token","refresh_token":"any","${name}":[1]}`, headers };
    expect((await server.request('POST', '/api/oauth/token', refresh)).body.error).toBe('invalid_grant');
  });

  it('in a path is rejected, or finds nothing', async () => {
    for (const { method, path } of routes().filter(({ path }) => path.includes(':'))) {
      for (const id of INVALID_IDS) {
        const body = method === 'POST' ? { body: {} } : {};
        expectNoServerError(
          `${method} ${path} ${id}`,
          await server.request(method, path.replace(/:\w+/g, id), { token, ...body }),
        );
      }
    }
  });

  it('in a query is rejected', async () => {
    for (const { method, path } of routes().filter((route) => route.method === 'GET' && !route.path.includes(':'))) {
      for (const query of INVALID_QUERIES) {
        const response = await server.request(method, `${path}?${query}`, { token });
        expectNoServerError(`${path}?${query}`, response);
        expect({ query, status: response.status }).toEqual({ query, status: 400 });
      }
    }
  });

  it('is rejected with 413 when it is too large', async () => {
    const { status, body } = await server.request('POST', '/api/collections', {
      token,
      body: { name: 'x'.repeat(70_000) },
    });
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'too_large' });
  });

  it('is rejected in the query of an endpoint without parameters', async () => {
    for (const { method, path } of routes().filter(
      (route) => route.path.startsWith('/api/') && !route.path.includes('oauth'),
    )) {
      const address = path.replace(/:\w+/g, 'x');
      const { status, body } = await server.request(method, `${address}?nonsense=1`, {
        token,
        ...(method === 'POST' && { body: {} }),
      });
      expect({ method, path, status, code: body.code }).toEqual({ method, path, status: 400, code: 'invalid_request' });
    }
  });

  it('in headers is rejected', async () => {
    for (const value of [
      'Bearer',
      'Bearer ',
      'Bearer a b',
      'bearer\t',
      `Bearer ${'x'.repeat(10_000)}`,
      'Basic',
      ',',
      '\u00ff',
    ]) {
      expectNoServerError(value, await server.request('GET', '/api/markers', { headers: { Authorization: value } }));
    }
  });

  it('in the method is rejected with 405', async () => {
    for (const method of ['PUT', 'PATCH', 'PROPFIND']) {
      const response = await server.request(method, '/api/collections', { token });
      expectNoServerError(method, response);
      expect({ method, status: response.status }).toEqual({ method, status: 405 });
    }
    expect((await server.request('HEAD', '/api/markers', { token })).status).toBe(200);
  });

  it('at an unknown path is rejected with 404', async () => {
    const { status, body } = await server.request('GET', '/api/nothing', { token });
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
  });

  it('in an incomplete body does not stop the server', async () => {
    await new Promise<void>((resolve) => {
      const headers = { ...JSON_HEADERS, 'Content-Length': 1000, Authorization: `Bearer ${token}` };
      const broken = request(`${server.url}/api/collections`, { method: 'POST', headers });
      broken.on('error', () => resolve());
      broken.write('{"name":', () => broken.destroy());
    });
    expect((await server.request('GET', '/api/markers', { token })).status).toBe(200);
  });

  it('gets a response with a request id', async () => {
    const { headers, body } = await server.request('GET', '/api/markers');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(Object.keys(body)).not.toContain('requestId');
  });
});
