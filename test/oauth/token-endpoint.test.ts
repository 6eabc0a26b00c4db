import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import type { TokenResponse } from '../../src/identity/oauth/token.dto.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';

const TOKEN_PATH = '/api/oauth/token';
const NO_SECRET = 'client_secret is missing.';
const FORM_HEADERS = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('Token endpoint (spec §4, refresh grant)', () => {
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

  const request = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
    ...client.credentials,
    ...overrides,
  });
  const post = (body: unknown, headers?: Record<string, string>): Promise<TestResponse> =>
    server.request('POST', TOKEN_PATH, { body, ...(headers && { headers }) });
  const basic = (id: string, secret: string): Record<string, string> => ({
    Authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
  });
  const withFreshTokens = async (): Promise<void> => {
    tokens = await issueTokens(server, { app: client.app, account, scopes: ['edits:read', 'markers:read'] });
  };
  const expectError = ({ status, headers, body }: TestResponse, expected: number, error: string): void => {
    expect({ status, error: body.error }).toEqual({ status: expected, error });
    expect(Object.keys(body).sort()).toEqual(['error', 'error_description']);
    expect(body.error_description).toMatch(/^[\x20\x21\x23-\x5B\x5D-\x7E]+$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
  };
  const expectStillValid = async (): Promise<void> => expect((await post(request())).status).toBe(200);

  beforeAll(withFreshTokens);

  it('returns a new access token and a new refresh token with Cache-Control: no-store', async () => {
    await withFreshTokens();
    const { status, headers, body } = await post(request());
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type']);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'edits:read markers:read' });
    expect(body.refresh_token).not.toBe(tokens.refresh_token);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    for (const ofPages of ['x-frame-options', 'referrer-policy']) expect(headers.has(ofPages)).toBe(false);
  });

  it('accepts a form', async () => {
    await withFreshTokens();
    const form = new URLSearchParams(request() as Record<string, string>).toString();
    expect((await post(form, FORM_HEADERS)).status).toBe(200);
  });

  it('accepts HTTP Basic credentials', async () => {
    await withFreshTokens();
    const { client_id, client_secret } = client.credentials;
    const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await post(body, basic(client_id, client_secret))).status).toBe(200);
  });

  it('ignores unknown fields with any value', async () => {
    await withFreshTokens();
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const overrides = `{"extra":{"a":1,"a":2},"deep":${deep},"__proto__":{"grant_type":1},"constructor":[],`;
    expect((await post(JSON.stringify(request()).replace('{', overrides))).status).toBe(200);
  });

  it('ignores an expired Bearer token', async () => {
    await withFreshTokens();
    expect((await post(request(), { Authorization: 'Bearer stale' })).status).toBe(200);
  });

  describe('rejects with invalid_client and 401, and keeps the token valid,', () => {
    it.each([
      ['an unknown client id', { client_id: 'app_01ARZ3NDEKTSV4RRFFQ69G5FAV' }],
      ['a malformed client id', { client_id: 'nobody\u0000' }],
      ['a wrong secret', { client_secret: 'wrong' }],
      ['a missing secret', { client_secret: undefined }],
      ['a null secret', { client_secret: null }],
      ['an empty secret', { client_secret: '' }],
      ['a missing client id', { client_id: undefined }],
    ])('%s', async (_, credentials) => {
      await withFreshTokens();
      const response = await post(request(credentials));
      expectError(response, 401, 'invalid_client');
      expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
      await expectStillValid();
    });

    it('an unknown app and a wrong secret with the same response', async () => {
      const unknown = await post(request({ client_id: 'app_01ARZ3NDEKTSV4RRFFQ69G5FAV' }));
      expect((await post(request({ client_secret: 'wrong' }))).body).toEqual(unknown.body);
    });

    it('a wrong secret in HTTP Basic', async () => {
      const { client_id } = client.credentials;
      for (const headers of [
        basic(client_id, 'wrong'),
        { Authorization: 'Basic %%%' },
        { Authorization: 'Basic ' + btoa('%:%') },
      ]) {
        const response = await post({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token }, headers);
        expectError(response, 401, 'invalid_client');
        expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
      }
    });

    it('an unreadable HTTP Basic header, also with credentials in the body', async () => {
      await withFreshTokens();
      for (const Authorization of ['Basic', 'Basic %%%', `Basic ${btoa('no colon')}`]) {
        const response = await post(request(), { Authorization });
        expectError(response, 401, 'invalid_client');
        expect(response.body.error_description).toMatch(/Authorization cannot be read/);
      }
      await expectStillValid();
    });

    it('a disabled app, and accepts its tokens after it is enabled', async () => {
      await withFreshTokens();
      await server.get(AppsService).disable(client.app.id);
      expectError(await post(request()), 401, 'invalid_client');
      await server.get(AppsService).enable(client.app.id);
      await expectStillValid();
    });

    it('a request without a body', async () => {
      expectError(await server.request('POST', TOKEN_PATH), 401, 'invalid_client');
    });
  });

  describe('rejects with unsupported_grant_type and 400, and keeps the token valid,', () => {
    it.each([
      ['another grant type', 'password'],
      ['a missing grant type', undefined],
      ['a null grant type', null],
      ['an empty grant type', ''],
      ['the name of a property of every object', 'constructor'],
    ])('%s', async (_, grant_type) => {
      await withFreshTokens();
      expectError(await post(request({ grant_type })), 400, 'unsupported_grant_type');
      await expectStillValid();
    });

    it('only after the client authentication', async () => {
      expectError(await post(request({ grant_type: 'password', client_secret: 'wrong' })), 401, 'invalid_client');
    });
  });

  describe('rejects with invalid_request and 400, and keeps the token valid,', () => {
    it.each([
      ['a missing refresh token', { refresh_token: undefined }],
      ['a null refresh token', { refresh_token: null }],
      ['a refresh token of another type', { refresh_token: 7 }],
      ['a client id of another type', { client_id: ['a'] }],
      ['a grant type of another type', { grant_type: { $ne: '' } }],
      ['a scope of another type', { scope: false }],
    ])('%s', async (_, fields) => {
      await withFreshTokens();
      expectError(await post(request(fields)), 400, 'invalid_request');
      await expectStillValid();
    });

    it.each([
      ['a JSON field sent twice', (body: string) => body.replace('{', '{"grant_type":"refresh_token",')],
      [
        'a JSON field sent twice, once by an escape',
        (body: string) => body.replace('{', '{"grant\\u005ftype":"refresh_token",'),
      ],
      ['truncated JSON', (body: string) => body.slice(0, -1)],
      ['a JSON array', (body: string) => `[${body}]`],
      ['a JSON string', () => '"refresh_token"'],
      ['JSON null', () => 'null'],
    ])('%s', async (_, change) => {
      await withFreshTokens();
      expectError(await post(change(JSON.stringify(request()))), 400, 'invalid_request');
      await expectStillValid();
    });

    it('a repeated form field', async () => {
      await withFreshTokens();
      const form = new URLSearchParams(request() as Record<string, string>);
      form.append('refresh_token', tokens.refresh_token);
      expectError(await post(form.toString(), FORM_HEADERS), 400, 'invalid_request');
      await expectStillValid();
    });

    it('a body of another content type', async () => {
      await withFreshTokens();
      expectError(await post(JSON.stringify(request()), { 'Content-Type': 'text/plain' }), 400, 'invalid_request');
      await expectStillValid();
    });

    it('a body that does not match its Content-Encoding', async () => {
      expectError(await post(JSON.stringify(request()), { 'Content-Encoding': 'gzip' }), 400, 'invalid_request');
      expectError(await post(JSON.stringify(request()), { 'Content-Encoding': 'rot13' }), 400, 'invalid_request');
    });

    it('credentials in two places', async () => {
      await withFreshTokens();
      const { client_id, client_secret } = client.credentials;
      expectError(await post(request(), basic(client_id, client_secret)), 400, 'invalid_request');
      const another = request({ client_secret: undefined, client_id: 'app_01ARZ3NDEKTSV4RRFFQ69G5FAV' });
      expectError(await post(another, basic(client_id, client_secret)), 400, 'invalid_request');
      await expectStillValid();
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no client_id', { client_id: undefined }, 'client_id is missing.'],
    ['no client_secret', { client_secret: undefined }, NO_SECRET],
    ['no secret of an unknown app', { client_id: 'app_01ARZ3NDEKTSV4RRFFQ69G5FAV', client_secret: '' }, NO_SECRET],
    ['no refresh_token', { refresh_token: undefined }, 'refresh_token is missing.'],
    ['a refresh_token that is no text', { refresh_token: 7 }, 'refresh_token must be a string.'],
    ['no grant_type', { grant_type: undefined }, 'grant_type must be authorization_code or refresh_token.'],
    ['an unknown scope', { scope: 'marker:read' }, 'The scope marker:read does not exist.'],
    [
      'a scope that was not granted',
      { scope: 'markers:read edits:write' },
      'The scope edits:write was not granted. Request only granted scopes, or ask the person to authorize again.',
    ],
  ])('describes the error of a request with %s by the parameter and the rule', async (_, fields, sentence) => {
    await withFreshTokens();
    expect((await post(request(fields))).body.error_description).toBe(sentence);
  });

  it('describes a field that was sent twice', async () => {
    const body = JSON.stringify(request()).replace('{', '{"grant_type":"refresh_token",');
    expect((await post(body)).body.error_description).toBe('grant_type was sent more than once. Send it once.');
  });

  it('rejects a body larger than 64 KiB with 413', async () => {
    expectError(await post(request({ extra: 'x'.repeat(64 * 1024) })), 413, 'invalid_request');
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('rejects %s with 405 and Allow', async (method) => {
    const response = await server.request(method, TOKEN_PATH);
    expectError(response, 405, 'invalid_request');
    expect(response.headers.get('allow')).toBe('POST');
  });

  describe('scope parameter (RFC 6749 §6)', () => {
    it('narrows the access token, and keeps the grant for the next refresh', async () => {
      await withFreshTokens();
      const narrowed = await post(request({ scope: 'markers:read' }));
      expect(narrowed.body.scope).toBe('markers:read');
      expect((await server.request('GET', '/api/edits/mine', { token: narrowed.body.access_token })).status).toBe(403);
      const whole = await post(request({ refresh_token: narrowed.body.refresh_token }));
      expect(whole.body.scope).toBe('edits:read markers:read');
    });

    it.each(['edits:read edits:write', 'edits:write nonsense', 'nonsense', ' ', 'edits:read\tmarkers:read', '"'])(
      'rejects %j with invalid_scope, and keeps the token valid',
      async (scope) => {
        await withFreshTokens();
        expectError(await post(request({ scope })), 400, 'invalid_scope');
        await expectStillValid();
      },
    );
  });
});
