import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { createAccount, issueTokens, registerApp } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';

const ISSUER = 'https://map.example.org';
const METADATA = `resource_metadata="${ISSUER}/.well-known/oauth-protected-resource/api"`;
const PATH = '/.well-known/oauth-protected-resource';

describe('Protected resource metadata (RFC 9728)', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  it.each([
    ['', 'api', true],
    ['/api', 'api', true],
    ['/mcp', 'mcp', false],
  ])('at %s is that of the resource %s', async (suffix, resource, hasIdentityScopes) => {
    const { status, body, headers } = await server.request('GET', PATH + suffix);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      resource: `${ISSUER}/${resource}`,
      authorization_servers: [ISSUER],
      bearer_methods_supported: ['header'],
      scopes_supported: expect.arrayContaining(['markers:read', 'edits:review']),
    });
    expect(body.scopes_supported.includes('openid')).toBe(hasIdentityScopes);
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
  });

  it('does not exist for another resource', async () => {
    for (const suffix of ['/map', '/api/markers', '/API/x'])
      expect((await server.request('GET', PATH + suffix)).status).toBe(404);
  });

  it('is served below the path of BASE_URL, and at the address of RFC 9728', async () => {
    const below = await TestServer.start({ BASE_URL: 'https://example.org/map' });
    for (const [path, resource] of [
      [`/map${PATH}`, 'api'],
      [`/map${PATH}/mcp`, 'mcp'],
      [`${PATH}/map`, 'api'],
      [`${PATH}/map/api`, 'api'],
      [`${PATH}/map/mcp`, 'mcp'],
    ]) {
      const { status, body } = await below.request('GET', path!);
      expect({ path, status, resource: body.resource }).toEqual({
        path,
        status: 200,
        resource: `https://example.org/map/${resource}`,
      });
    }
    expect((await below.request('GET', `${PATH}/mapped/api`)).status).toBe(404);
    await below.stop();
  });

  it('has its address in every 401 and 403 that names the scheme', async () => {
    const [account, client] = [await createAccount(server), await registerApp(server)];
    const { access_token: narrow } = await issueTokens(server, { app: client.app, account, scopes: ['edits:read'] });
    const expectMetadata = async (path: string, token: string | undefined, status: number): Promise<void> => {
      const response = await server.request('GET', path, { ...(token !== undefined && { token }) });
      expect({ path, status: response.status }).toEqual({ path, status });
      expect(response.headers.get('www-authenticate')).toContain(METADATA);
    };
    for (const path of ['/api/markers', '/api/oauth/userinfo']) {
      await expectMetadata(path, undefined, 401);
      await expectMetadata(path, 'wrong', 401);
      await expectMetadata(path, narrow, 403);
    }
    await server.get(AppsService).disable(client.app.id);
    await expectMetadata('/api/markers', narrow, 403);
  });
});
