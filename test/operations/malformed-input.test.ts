import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { RouteDeclarations } from '../../src/scopes/route-declarations.js';
import { newApp, newToken } from '../support/factories.js';
import { type Answer, Service } from '../support/service.js';

const CONTENT = { 'Content-Type': 'application/json' };
const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

/** Bodies that no endpoint of the API takes. */
const BODIES: [what: string, body: string | Uint8Array, headers: Record<string, string>][] = [
  ['JSON cut short', '{"name":', CONTENT],
  ['a JSON list', '[]', CONTENT],
  ['JSON null', 'null', CONTENT],
  ['a JSON number', '1e999', CONTENT],
  ['a member twice', '{"name":"a","name":"b"}', CONTENT],
  ['unknown members', '{"__proto__":{"admin":true},"constructor":1,"nonsense":[{}]}', CONTENT],
  ['nesting without end', `{"changes":${DEEP},"items":${DEEP},"ids":${DEEP},"comment":${DEEP}}`, CONTENT],
  ['the wrong types', '{"name":[],"items":"x","ids":{},"changes":7,"comment":{},"type":[],"targetType":null}', CONTENT],
  [
    'null for all',
    '{"name":null,"items":null,"ids":null,"type":null,"targetType":null,"changes":null,"comment":null}',
    CONTENT,
  ],
  ['items of the wrong types', '{"items":[null,7,[],{"markerId":{}},{"editId":[]}],"ids":[null,{},7]}', CONTENT],
  [
    'control and bidi characters',
    JSON.stringify({ name: 'a\u0000b', comment: '\u202eabc', items: [], ids: ['\u0000'] }),
    CONTENT,
  ],
  ['half of a surrogate pair', '{"name":"\\ud800","comment":"\\udfff\\udfff\\udfff","ids":["\\ud800"]}', CONTENT],
  [
    'huge numbers',
    '{"type":"update","targetType":"artwork","targetId":"x","baseVersion":1e308,"changes":{"year":1e308}}',
    CONTENT,
  ],
  ['a member twice, deep down', '{"name":"a","changes":{"title":"a","title":"b"},"items":[{"a":1,"a":1}]}', CONTENT],
  ['bytes that are no UTF-8', Buffer.from('{"name":"a\xff\xfe","token":"\xff"}', 'latin1'), CONTENT],
  ['another charset', '{"name":"a","token":"a"}', { 'Content-Type': 'application/json; charset=iso-8859-1' }],
  ['more code points than seem', JSON.stringify({ name: 'a\ufe0f'.repeat(100) }), CONTENT],
  ['an unknown charset', '{}', { 'Content-Type': 'application/json; charset=klingon' }],
  ['another type', '<a/>', { 'Content-Type': 'application/xml' }],
  ['a form', 'name=a', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['a type that is none', '{}', { 'Content-Type': ';;;' }],
  ['an encoding that it is not in', '{}', { ...CONTENT, 'Content-Encoding': 'gzip' }],
  ['an unknown encoding', '{}', { ...CONTENT, 'Content-Encoding': 'rot13' }],
  ['more than 64 KiB', JSON.stringify({ name: 'x'.repeat(70_000) }), CONTENT],
];

/** Addresses below the API that answer people with pages, and those that read nothing but a token. */
const FOR_PEOPLE = /^\/api\/(oauth\/(authorize|logout|userinfo|jwks)|openapi\.json)$/;

/** Ids that no row has, and texts that are no ids. */
const IDS = [
  'x',
  'edt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  '%00',
  '%E0%A4%A',
  '%2e%2e',
  "'%20OR%201=1",
  'a'.repeat(5000),
  '😀',
];

const QUERIES = [
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
  let service: Service;
  let token: string;
  let basic: string;

  beforeAll(async () => {
    service = await Service.start();
    token = await newToken(service);
    const { client_id, client_secret } = (await newApp(service)).credentials;
    basic = `Basic ${btoa(`${client_id}:${client_secret}`)}`;
  });
  afterAll(() => service.stop());

  const routes = (): { method: string; path: string }[] =>
    service
      .get(RouteDeclarations)
      .list()
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/') && !FOR_PEOPLE.test(path));
  const expectCalm = (what: string, { status, body, headers }: Answer): void => {
    expect({ what, calm: status < 500 }).toEqual({ what, calm: true });
    const text = JSON.stringify(body);
    expect({ what, length: text.length < 10_000 }).toEqual({ what, length: true });
    expect({ what, leaks: /node_modules|\bat .*\.[jt]s|sqlite|postgres|typeorm/i.exec(text)?.[0] }).toEqual({ what });
    if (status >= 400)
      expect({ what, json: headers.get('content-type') }).toMatchObject({ json: expect.stringMatching(/json/) });
    if (status >= 400) expect({ what, error: typeof body.error }).toEqual({ what, error: 'string' });
  };

  it.each(BODIES)(
    'in a body, %s: is refused on every endpoint, in its own shape of error',
    async (what, body, headers) => {
      for (const { method, path } of routes().filter((route) => route.method === 'POST')) {
        const authorization: Record<string, string> = path.startsWith('/api/oauth/') ? { Authorization: basic } : {};
        for (const id of ['x', 'edt_01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
          const answer = await service.call(method, path.replace(':id', id), {
            token,
            body,
            headers: { ...headers, ...authorization },
          });
          expectCalm(`${method} ${path} ${what}`, answer);
          expect(answer.status).toBeGreaterThanOrEqual(400);
        }
      }
    },
  );

  it('in an address is refused, or finds nothing', async () => {
    for (const { method, path } of routes().filter(({ path }) => path.includes(':'))) {
      for (const id of IDS) {
        const body = method === 'POST' ? { body: {} } : {};
        expectCalm(
          `${method} ${path} ${id}`,
          await service.call(method, path.replace(/:\w+/g, id), { token, ...body }),
        );
      }
    }
  });

  it('in a query is refused', async () => {
    for (const { method, path } of routes().filter((route) => route.method === 'GET' && !route.path.includes(':'))) {
      for (const query of QUERIES) {
        const answer = await service.call(method, `${path}?${query}`, { token });
        expectCalm(`${path}?${query}`, answer);
        expect({ query, status: answer.status }).toEqual({ query, status: 400 });
      }
    }
  });

  it('that is too large says so', async () => {
    const { status, body } = await service.call('POST', '/api/collections', {
      token,
      body: { name: 'x'.repeat(70_000) },
    });
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'too_large' });
  });

  it('in a query to what takes none is refused', async () => {
    for (const { method, path } of routes().filter(
      (route) => route.path.startsWith('/api/') && !route.path.includes('oauth'),
    )) {
      const address = path.replace(/:\w+/g, 'x');
      const { status, body } = await service.call(method, `${address}?nonsense=1`, {
        token,
        ...(method === 'POST' && { body: {} }),
      });
      expect({ method, path, status, code: body.code }).toEqual({ method, path, status: 400, code: 'invalid_request' });
    }
  });

  it('in headers is refused', async () => {
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
      expectCalm(value, await service.call('GET', '/api/markers', { headers: { Authorization: value } }));
    }
  });

  it('in the method finds nothing', async () => {
    for (const method of ['PUT', 'PATCH', 'OPTIONS', 'PROPFIND']) {
      expectCalm(method, await service.call(method, '/api/collections', { token }));
    }
    expect((await service.call('HEAD', '/api/markers', { token })).status).toBe(200);
  });

  it('at an address where nothing is says so', async () => {
    const { status, body } = await service.call('GET', '/api/nothing', { token });
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
  });

  it('that stops in the middle of a body leaves the service answering', async () => {
    await new Promise<void>((resolve) => {
      const headers = { ...CONTENT, 'Content-Length': 1000, Authorization: `Bearer ${token}` };
      const broken = request(`${service.url}/api/collections`, { method: 'POST', headers });
      broken.on('error', () => resolve());
      broken.write('{"name":', () => broken.destroy());
    });
    expect((await service.call('GET', '/api/markers', { token })).status).toBe(200);
  });

  it('gets an id of the request, so that it can be spoken of', async () => {
    const { headers, body } = await service.call('GET', '/api/markers');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(Object.keys(body)).not.toContain('requestId');
  });
});
