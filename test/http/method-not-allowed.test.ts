import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RouteRegistryService } from '../../src/identity/scopes/route-registry.service.js';
import { MESSAGES_BY_LANGUAGE } from '../../src/platform/i18n/language.js';
import { issueAccessToken } from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';

/** Methods that clients send, except HEAD, which works where GET works, and OPTIONS. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A path of the service, and the methods of its routes. */
interface RoutePath {
  path: string;
  methods: string[];
}

describe('A method that a path does not support', () => {
  let server: TestServer;
  let token: string;
  let paths: RoutePath[];

  beforeAll(async () => {
    server = await TestServer.start();
    token = await issueAccessToken(server);
    // The paths of the public export do not exist without PUBLIC_EXPORT=on.
    const routes = server
      .get(RouteRegistryService)
      .list()
      .filter(({ path }) => !path.startsWith('/export/'));
    paths = [...new Set(routes.map(({ path }) => path))].map((path) => ({
      path: path.replace('docs/assets/:name', 'docs/assets/reference.css').replace(/:\w+/g, 'x'),
      methods: routes.filter((route) => route.path === path).map(({ method }) => method),
    }));
  });
  afterAll(() => server.stop());

  const isOAuthEndpoint = ({ methods }: RoutePath): boolean => methods.includes('ALL');
  const toAllow = (methods: string[]): string => methods.join(', ').replace('GET', 'GET, HEAD');
  const send = (method: string, path: string, language = 'en'): Promise<TestResponse> =>
    server.request(method, path, {
      token,
      headers: { 'Accept-Language': language, Origin: server.settings.BASE_URL },
    });

  it('is rejected with 405 and Allow on every path, before the token is checked', async () => {
    for (const { path, methods } of paths.filter((route) => !isOAuthEndpoint(route))) {
      for (const method of METHODS.filter((candidate) => !methods.includes(candidate))) {
        for (const response of [await send(method, path), await server.request(method, path)]) {
          const { status, headers } = response;
          expect({ method, path, status, allow: headers.get('allow') }).toEqual({
            method,
            path,
            status: 405,
            allow: toAllow(methods),
          });
        }
      }
    }
  });

  it('is rejected as JSON below /api/', async () => {
    const { body, headers } = await send('PUT', '/api/collections/x');
    expect(headers.get('content-type')).toMatch(/json/);
    expect(body).toEqual({
      error: 'This path does not support this method. It supports GET, HEAD, POST, DELETE.',
      code: 'method_not_allowed',
    });
  });

  it('is rejected by a literal path that also matches a route with a parameter', async () => {
    for (const path of ['/api/edits/views', '/api/edits/evaluate-permissions']) {
      const { status, headers } = await send('GET', path);
      expect({ path, status, allow: headers.get('allow') }).toEqual({ path, status: 405, allow: 'POST' });
    }
  });

  it.each(Object.entries(MESSAGES_BY_LANGUAGE))(
    'is rejected with a page in the language %s',
    async (language, { errors }) => {
      for (const path of [
        '/sign-in',
        '/docs',
        '/health/live',
        '/assets/style.css',
        '/.well-known/openid-configuration',
      ]) {
        const { status, headers, body } = await send('DELETE', path, language);
        expect({ path, status, type: headers.get('content-type') }).toEqual({
          path,
          status: 405,
          type: 'text/html; charset=utf-8',
        });
        expect(body).toContain(errors.methodNotAllowed);
      }
    },
  );

  it('is rejected by the token and revocation endpoints in the shape of OAuth', async () => {
    expect(paths.filter(isOAuthEndpoint)).toHaveLength(2);
    for (const { path } of paths.filter(isOAuthEndpoint)) {
      for (const method of METHODS.filter((candidate) => candidate !== 'POST')) {
        const { status, headers, body } = await send(method, path);
        expect({ method, path, status, allow: headers.get('allow'), body }).toEqual({
          method,
          path,
          status: 405,
          allow: 'POST',
          body: { error: 'invalid_request', error_description: 'The method must be POST.' },
        });
      }
    }
  });

  it('excludes HEAD if the path supports GET', async () => {
    for (const { path } of paths.filter(({ methods }) => methods.includes('GET'))) {
      const [get, head] = [await send('GET', path), await send('HEAD', path)];
      expect({ path, status: head.status, body: head.body }).toEqual({ path, status: get.status, body: '' });
    }
  });

  it('excludes preflight requests', async () => {
    const headers = { Origin: 'https://app.example.org', 'Access-Control-Request-Method': 'POST' };
    const { status, headers: answer } = await server.request('OPTIONS', '/api/collections', { headers });
    expect({ status, origin: answer.get('access-control-allow-origin') }).toEqual({ status: 204, origin: '*' });
  });

  it('gets 404 on an unknown path', async () => {
    for (const path of [
      '/nothing',
      '/api/nothing',
      '/api/markers/x/y/z',
      '/API/markers',
      '/api/oauth',
      '/docs/assets/x/y',
    ]) {
      for (const method of METHODS) {
        expect({ method, path, status: (await send(method, path)).status }).toEqual({ method, path, status: 404 });
      }
    }
  });

  it('is rejected below the path of BASE_URL, also with a slash at the end', async () => {
    const prefixed = await TestServer.start({ BASE_URL: 'https://art.example/map' });
    try {
      for (const path of ['/map/api/markers', '/map/api/markers/', '/map/api/markers/x', '/map', '/map/']) {
        const { status, headers } = await prefixed.request('PUT', path);
        expect({ path, status, allow: headers.get('allow') }).toEqual({ path, status: 405, allow: 'GET, HEAD' });
      }
      for (const path of ['/api/markers', '/art/api/markers', '/mapapi/markers']) {
        expect({ path, status: (await prefixed.request('PUT', path)).status }).toEqual({ path, status: 404 });
      }
    } finally {
      await prefixed.stop();
    }
  });
});
