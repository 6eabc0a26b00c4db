import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AppsService } from '../../src/identity/clients/apps.service.js';
import type { TokenResponse } from '../../src/identity/oauth/token-response.dto.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';

const TOKEN_PATH = '/api/oauth/token';
const FORM_HEADERS = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('The token endpoint (spec §4, refresh grant)', () => {
  let server: TestServer;
  let account: Account;
  let client: TestApp;
  let tokens: TokenResponse;

  beforeAll(async () => {
    server = await TestServer.start();
    account = await createAccount(server);
    client = await registerApp(server);
  });
  afterAll(() => server.stop());

  const request = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
    ...client.credentials,
    ...more,
  });
  const post = (body: unknown, headers?: Record<string, string>): Promise<TestResponse> =>
    server.request('POST', TOKEN_PATH, { body, ...(headers && { headers }) });
  const basic = (id: string, secret: string): Record<string, string> => ({
    Authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
  });
  const withFreshTokens = async (): Promise<void> => {
    tokens = await issueTokens(server, { app: client.app, account, scopes: ['edits:read', 'markers:read'] });
  };
  const expectRefused = ({ status, headers, body }: TestResponse, wanted: number, error: string): void => {
    expect({ status, error: body.error }).toEqual({ status: wanted, error });
    expect(Object.keys(body).sort()).toEqual(['error', 'error_description']);
    expect(body.error_description).toMatch(/^[\x20\x21\x23-\x5B\x5D-\x7E]+$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
  };
  const expectNotSpent = async (): Promise<void> => expect((await post(request())).status).toBe(200);

  beforeAll(withFreshTokens);

  it('answers a new access token and a new refresh token, which nobody may cache', async () => {
    await withFreshTokens();
    const { status, headers, body } = await post(request());
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type']);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'edits:read markers:read' });
    expect(body.refresh_token).not.toBe(tokens.refresh_token);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('accepts a form, as stock clients send', async () => {
    await withFreshTokens();
    const form = new URLSearchParams(request() as Record<string, string>).toString();
    expect((await post(form, FORM_HEADERS)).status).toBe(200);
  });

  it('accepts the credentials of the app by HTTP Basic', async () => {
    await withFreshTokens();
    const { client_id, client_secret } = client.credentials;
    const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await post(body, basic(client_id, client_secret))).status).toBe(200);
  });

  it('ignores unknown fields, whatever they hold', async () => {
    await withFreshTokens();
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const more = `{"extra":{"a":1,"a":2},"deep":${deep},"__proto__":{"grant_type":1},"constructor":[],`;
    expect((await post(JSON.stringify(request()).replace('{', more))).status).toBe(200);
  });

  it('ignores a stale Bearer token that a client sends along', async () => {
    await withFreshTokens();
    expect((await post(request(), { Authorization: 'Bearer stale' })).status).toBe(200);
  });

  describe('refuses with invalid_client, 401, and spends nothing,', () => {
    it.each([
      ['an unknown client id', { client_id: 'app_01ARZ3NDEKTSV4RRFFQ69G5FAV' }],
      ['a client id of no form', { client_id: 'nobody\u0000' }],
      ['a wrong secret', { client_secret: 'wrong' }],
      ['a missing secret', { client_secret: undefined }],
      ['a null secret', { client_secret: null }],
      ['an empty secret', { client_secret: '' }],
      ['a missing client id', { client_id: undefined }],
    ])('%s', async (_, credentials) => {
      await withFreshTokens();
      const answer = await post(request(credentials));
      expectRefused(answer, 401, 'invalid_client');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
      await expectNotSpent();
    });

    it('an unknown app and a wrong secret in the same words', async () => {
      const unknown = await post(request({ client_id: 'app_01ARZ3NDEKTSV4RRFFQ69G5FAV' }));
      expect((await post(request({ client_secret: 'wrong' }))).body).toEqual(unknown.body);
    });

    it('a wrong secret by HTTP Basic', async () => {
      const { client_id } = client.credentials;
      for (const headers of [
        basic(client_id, 'wrong'),
        { Authorization: 'Basic %%%' },
        { Authorization: 'Basic ' + btoa('%:%') },
      ]) {
        const answer = await post({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token }, headers);
        expectRefused(answer, 401, 'invalid_client');
        expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
      }
    });

    it('a disabled app, whose tokens work again once it is enabled', async () => {
      await withFreshTokens();
      await server.get(AppsService).disable(client.app.id);
      expectRefused(await post(request()), 401, 'invalid_client');
      await server.get(AppsService).enable(client.app.id);
      await expectNotSpent();
    });

    it('no body at all', async () => {
      expectRefused(await server.request('POST', TOKEN_PATH), 401, 'invalid_client');
    });
  });

  describe('refuses with unsupported_grant_type, 400, and spends nothing,', () => {
    it.each([
      ['another grant type', 'password'],
      ['a missing grant type', undefined],
      ['a null grant type', null],
      ['an empty grant type', ''],
      ['a name that every object has', 'constructor'],
    ])('%s', async (_, grant_type) => {
      await withFreshTokens();
      expectRefused(await post(request({ grant_type })), 400, 'unsupported_grant_type');
      await expectNotSpent();
    });

    it('only after the credentials were right', async () => {
      expectRefused(await post(request({ grant_type: 'password', client_secret: 'wrong' })), 401, 'invalid_client');
    });
  });

  describe('refuses with invalid_request, 400, and spends nothing,', () => {
    it.each([
      ['a missing refresh token', { refresh_token: undefined }],
      ['a null refresh token', { refresh_token: null }],
      ['a refresh token that is no string', { refresh_token: 7 }],
      ['a client id that is no string', { client_id: ['a'] }],
      ['a grant type that is no string', { grant_type: { $ne: '' } }],
      ['a scope that is no string', { scope: false }],
    ])('%s', async (_, fields) => {
      await withFreshTokens();
      expectRefused(await post(request(fields)), 400, 'invalid_request');
      await expectNotSpent();
    });

    it.each([
      ['a JSON field sent twice', (body: string) => body.replace('{', '{"grant_type":"refresh_token",')],
      [
        'a JSON field sent twice, once by an escape',
        (body: string) => body.replace('{', '{"grant\\u005ftype":"refresh_token",'),
      ],
      ['JSON that is cut short', (body: string) => body.slice(0, -1)],
      ['a JSON list', (body: string) => `[${body}]`],
      ['a JSON string', () => '"refresh_token"'],
      ['JSON null', () => 'null'],
    ])('%s', async (_, spoil) => {
      await withFreshTokens();
      expectRefused(await post(spoil(JSON.stringify(request()))), 400, 'invalid_request');
      await expectNotSpent();
    });

    it('a form field sent twice', async () => {
      await withFreshTokens();
      const form = new URLSearchParams(request() as Record<string, string>);
      form.append('refresh_token', tokens.refresh_token);
      expectRefused(await post(form.toString(), FORM_HEADERS), 400, 'invalid_request');
      await expectNotSpent();
    });

    it('a body of another type', async () => {
      await withFreshTokens();
      expectRefused(await post(JSON.stringify(request()), { 'Content-Type': 'text/plain' }), 400, 'invalid_request');
      await expectNotSpent();
    });

    it('a body that is not what its Content-Encoding says', async () => {
      expectRefused(await post(JSON.stringify(request()), { 'Content-Encoding': 'gzip' }), 400, 'invalid_request');
      expectRefused(await post(JSON.stringify(request()), { 'Content-Encoding': 'rot13' }), 400, 'invalid_request');
    });

    it('credentials given in two ways', async () => {
      await withFreshTokens();
      const { client_id, client_secret } = client.credentials;
      expectRefused(await post(request(), basic(client_id, client_secret)), 400, 'invalid_request');
      const another = request({ client_secret: undefined, client_id: 'app_01ARZ3NDEKTSV4RRFFQ69G5FAV' });
      expectRefused(await post(another, basic(client_id, client_secret)), 400, 'invalid_request');
      await expectNotSpent();
    });
  });

  it('refuses a body larger than 64 KiB with 413', async () => {
    expectRefused(await post(request({ extra: 'x'.repeat(64 * 1024) })), 413, 'invalid_request');
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('refuses %s with 405 and Allow', async (method) => {
    const answer = await server.request(method, TOKEN_PATH);
    expectRefused(answer, 405, 'invalid_request');
    expect(answer.headers.get('allow')).toBe('POST');
  });

  describe('narrows the access token by scope (RFC 6749 §6)', () => {
    it('and leaves the grant whole for the next refresh', async () => {
      await withFreshTokens();
      const narrowed = await post(request({ scope: 'markers:read' }));
      expect(narrowed.body.scope).toBe('markers:read');
      expect((await server.request('GET', '/api/edits/mine', { token: narrowed.body.access_token })).status).toBe(403);
      const whole = await post(request({ refresh_token: narrowed.body.refresh_token }));
      expect(whole.body.scope).toBe('edits:read markers:read');
    });

    it.each(['edits:read edits:write', 'nonsense', ' ', 'edits:read\tmarkers:read', '"'])(
      'and refuses %j as invalid_scope, spending nothing',
      async (scope) => {
        await withFreshTokens();
        expectRefused(await post(request({ scope })), 400, 'invalid_scope');
        await expectNotSpent();
      },
    );
  });
});
