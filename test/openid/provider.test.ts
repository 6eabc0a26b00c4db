import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { createAccount, registerApp, issueAccessToken, issueTokens } from '../support/factories.js';
import { type TestResponse, type ResponseBody, TestServer } from '../support/test-server.js';

describe('OpenID Connect', () => {
  let server: TestServer;
  let account: Account;

  beforeAll(async () => {
    server = await TestServer.start();
    account = await createAccount(server, { picture: 'https://pictures.example.org/mila.jpg', emailVerified: true });
  });
  afterAll(() => server.stop());

  const userinfo = async (scopes: Scope[], method = 'GET', caller = account): Promise<TestResponse> =>
    server.request(method, '/api/oauth/userinfo', { token: await issueAccessToken(server, scopes, caller) });

  describe('discovery', () => {
    it.each(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'])(
      'names every endpoint below the issuer at %s, and every endpoint exists',
      async (path) => {
        const { status, body } = await server.request('GET', path);
        expect(status).toBe(200);
        expect(body.issuer).toBe(server.settings.BASE_URL);
        for (const [name, address] of Object.entries<string>(body).filter(([key]) => /_endpoint$|_uri$/.test(key))) {
          expect({ name, below: address.startsWith(`${body.issuer}/api/oauth/`) }).toEqual({ name, below: true });
          const response = await server.request('GET', address.slice(body.issuer.length));
          expect({ name, there: response.status !== 404 }).toEqual({ name, there: true });
        }
      },
    );

    it('lists exactly the supported features', async () => {
      const { body } = await server.request('GET', '/.well-known/openid-configuration');
      expect(body).toMatchObject({
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        id_token_signing_alg_values_supported: ['RS256', 'ES256'],
        subject_types_supported: ['public'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
        request_parameter_supported: false,
        request_uri_parameter_supported: false,
        claims_supported: expect.arrayContaining(['auth_time', 'amr', 'acr', 'locale']),
        acr_values_supported: ['phr', '0'],
        claims_parameter_supported: false,
        authorization_response_iss_parameter_supported: true,
      });
      expect(Object.keys(body).join()).not.toMatch(
        /registration_endpoint|introspection|device|backchannel|frontchannel/,
      );
    });

    it('is served below the path of BASE_URL, and at the address of RFC 8414', async () => {
      const below = await TestServer.start({ BASE_URL: 'https://example.org/map' });
      for (const path of [
        '/map/.well-known/openid-configuration',
        '/map/.well-known/oauth-authorization-server',
        '/.well-known/oauth-authorization-server/map',
      ]) {
        const { status, body } = await below.request('GET', path);
        expect({ path, status, issuer: body.issuer }).toEqual({ path, status: 200, issuer: 'https://example.org/map' });
      }
      await below.stop();
    });
  });

  describe('JWKS', () => {
    it('has only public keys, which verify the issued tokens', async () => {
      const { body } = await server.request('GET', '/api/oauth/jwks');
      expect(body.keys.map(({ alg, use }: ResponseBody) => `${alg} ${use}`).sort()).toEqual(['ES256 sig', 'RS256 sig']);
      for (const key of body.keys) for (const secret of ['d', 'p', 'q', 'k']) expect(key).not.toHaveProperty(secret);
      for (const idTokenAlg of ['RS256', 'ES256'] as const) {
        const { app } = await registerApp(server, { idTokenAlg });
        const { id_token } = await issueTokens(server, { app, account: account });
        const [header, payload, signature] = id_token!.split('.') as [string, string, string];
        const { kid, alg } = JSON.parse(Buffer.from(header, 'base64url').toString());
        expect(alg).toBe(idTokenAlg);
        const key = createPublicKey({
          key: body.keys.find((one: ResponseBody) => one.kid === kid) as JsonWebKey,
          format: 'jwk',
        });
        const signed = Buffer.from(`${header}.${payload}`);
        const how = { key, dsaEncoding: 'ieee-p1363' } as const;
        expect(verify('sha256', signed, how, Buffer.from(signature, 'base64url'))).toBe(true);
        expect(verify('sha256', Buffer.from('other'), how, Buffer.from(signature, 'base64url'))).toBe(false);
      }
    });
  });

  describe('userinfo', () => {
    it.each<[Scope[], ResponseBody]>([
      [['openid'], {}],
      [
        ['openid', 'profile'],
        {
          name: 'NAME',
          preferred_username: 'USERNAME',
          picture: 'https://pictures.example.org/mila.jpg',
          updated_at: 'UPDATED',
        },
      ],
      [['openid', 'email'], { email: 'EMAIL', email_verified: true }],
      [['openid', 'markers:read'], {}],
    ])('returns exactly the claims of %j by GET and POST', async (scopes, claims) => {
      const known: Record<string, unknown> = {
        NAME: account.name,
        USERNAME: account.username,
        EMAIL: account.email,
        UPDATED: Math.floor(account.updatedAt.getTime() / 1000),
      };
      const expected = Object.fromEntries(
        Object.entries<string>(claims).map(([claim, value]) => [claim, known[value] ?? value]),
      );
      for (const method of ['GET', 'POST']) {
        const { status, body, headers } = await userinfo(scopes, method);
        expect(status).toBe(200);
        expect(body).toEqual({ sub: account.id, ...expected });
        expect(headers.get('cache-control')).toBe('no-store');
      }
    });

    it('omits a missing picture, and marks an unverified e-mail address', async () => {
      const plain = await createAccount(server);
      const { body } = await userinfo(['openid', 'profile', 'email'], 'GET', plain);
      expect(body).not.toHaveProperty('picture');
      expect(body.email_verified).toBe(false);
    });

    it('rejects a token without openid with 403 and the sentence of the spec', async () => {
      const { status, body } = await userinfo(['profile', 'email', 'markers:read']);
      expect(status).toBe(403);
      expect(body).toEqual({ error: 'This app needs the openid scope to do that.' });
    });

    it.each([undefined, 'nonsense'])('rejects the token %s with 401', async (token) => {
      const { status, headers } = await server.request(
        'GET',
        '/api/oauth/userinfo',
        token === undefined ? {} : { token },
      );
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
    });

    it('accepts the access token in a form (RFC 6750 §2.2)', async () => {
      const access_token = await issueAccessToken(server, ['openid'], account);
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const post = (body: string): Promise<TestResponse> =>
        server.request('POST', '/api/oauth/userinfo', { body, headers });
      expect((await post(`access_token=${access_token}`)).body).toEqual({ sub: account.id });
      for (const body of ['', 'access_token=', 'access_token=nonsense'])
        expect({ body, status: (await post(body)).status }).toEqual({ body, status: 401 });
      const other = await server.request('POST', '/api/edits', { body: `access_token=${access_token}`, headers });
      expect(other.status).toBe(401);
    });

    it.each<[string, (token: string) => [field: string, header?: string]]>([
      ['in the header and in the form', (token) => [`access_token=${token}`, token]],
      ['in the header, and another one in the form', (token) => ['access_token=other', token]],
      ['in the form, and another one in the header', (token) => [`access_token=${token}`, 'other']],
      ['twice in the form', (token) => [`access_token=${token}&access_token=${token}`]],
    ])('rejects a token that is sent %s with 400 (RFC 6750 §2, §3.1)', async (_, send) => {
      const [body, token] = send(await issueAccessToken(server, ['openid'], account));
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const path = '/api/oauth/userinfo';
      // The second request finds the token in the cache.
      if (token !== undefined) await server.request('GET', path, { token });
      const response = await server.request('POST', path, { body, headers, ...(token !== undefined && { token }) });
      expect({ status: response.status, code: response.body.code }).toEqual({ status: 400, code: 'invalid_request' });
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_request"/);
    });

    it('rejects an ID token', async () => {
      const { id_token } = await issueTokens(server, { app: (await registerApp(server)).app, account: account });
      expect((await server.request('GET', '/api/oauth/userinfo', { token: id_token! })).status).toBe(401);
    });

    it('returns the claims of a blocked account until the access token expires', async () => {
      const blocked = await createAccount(server);
      const token = await issueAccessToken(server, ['openid'], blocked);
      await server.get(AccountsService).block(blocked.username, 'Spam.');
      expect((await server.request('GET', '/api/oauth/userinfo', { token })).status).toBe(200);
    });
  });

  describe('CORS', () => {
    const origin = { Origin: 'https://other.example' };

    it.each([
      '/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/api/oauth/jwks',
      '/api/oauth/userinfo',
      '/api/markers',
    ])('allows scripts of other origins to read %s', async (path) => {
      const { headers } = await server.request('GET', path, { headers: origin });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      const preflight = {
        ...origin,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'authorization',
      };
      const response = await server.request('OPTIONS', path, { headers: preflight });
      expect(response.headers.get('access-control-allow-headers')).toMatch(/Authorization/);
    });

    it.each([
      '/api/oauth/authorize',
      '/api/oauth/token',
      '/api/oauth/revoke',
      '/api/oauth/logout',
      '/api/OAUTH/token',
      '/sign-in',
      '/consent',
      '/account/apps',
    ])('does not allow scripts of other origins to read %s', async (path) => {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const { headers } = await server.request(method, path, { headers: origin });
        expect({ method, allowed: headers.get('access-control-allow-origin') }).toEqual({ method, allowed: null });
      }
    });
  });
});
