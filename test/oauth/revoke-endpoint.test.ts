import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TokenResponse } from '../../src/identity/oauth/token.dto.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { basicAuthorization, refreshTokens } from '../support/token-endpoint.js';
import { type TestResponse, TestServer } from '../support/test-server.js';

describe('Revocation endpoint (spec §4, RFC 7009)', () => {
  let server: TestServer;
  let client: TestApp;
  let tokens: TokenResponse;

  beforeAll(async () => {
    server = await TestServer.start();
    client = await registerApp(server);
  });
  beforeEach(async () => {
    tokens = await issueTokens(server, { app: client.app, account: await createAccount(server) });
  });
  afterAll(() => server.stop());

  const post = (body: unknown, headers?: Record<string, string>): Promise<TestResponse> =>
    server.request('POST', '/api/oauth/revoke', { body, ...(headers && { headers }) });
  const revoke = (token: unknown, { credentials } = client): Promise<TestResponse> => post({ token, ...credentials });
  const refresh = (refreshToken: string): Promise<TestResponse> => refreshTokens(server, client, refreshToken);
  const expectEmpty = ({ status, headers, body }: TestResponse): void => {
    expect({ status, body }).toEqual({ status: 200, body: {} });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  };

  it('revokes a refresh token with 200 and an empty object', async () => {
    expectEmpty(await revoke(tokens.refresh_token));
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('accepts a form, Basic credentials and a token type hint', async () => {
    const form = new URLSearchParams({ token: tokens.refresh_token, token_type_hint: 'refresh_token' }).toString();
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: basicAuthorization(client.credentials),
    };
    expectEmpty(await post(form, headers));
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('returns 200 for a revoked and for an unknown token', async () => {
    expectEmpty(await revoke(tokens.refresh_token));
    expectEmpty(await revoke(tokens.refresh_token));
    expectEmpty(await revoke('nobody knows this'));
    expectEmpty(await revoke('\u0000\ud800'));
  });

  it('returns 200 for an access token, which stays valid until it expires', async () => {
    expectEmpty(await revoke(tokens.access_token));
    expect((await server.request('GET', '/api/markers', { token: tokens.access_token })).status).toBe(200);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('keeps a token of another app valid, with the same response', async () => {
    expectEmpty(await revoke(tokens.refresh_token, await registerApp(server)));
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('revokes the successors of a used token', async () => {
    const second = (await refresh(tokens.refresh_token)).body.refresh_token as string;
    const third = (await refresh(second)).body.refresh_token as string;
    expectEmpty(await revoke(tokens.refresh_token));
    expect((await refresh(third)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('revokes the whole chain during a concurrent refresh', async () => {
    for (let round = 0; round < 20; round++) {
      const { refresh_token } = await issueTokens(server, { app: client.app, account: await createAccount(server) });
      const [refreshed] = await Promise.all([refresh(refresh_token), revoke(refresh_token)]);
      if (refreshed.status !== 200) continue;
      expect((await refresh(refreshed.body.refresh_token)).body.error).toBe('invalid_grant');
    }
  });

  it.each([
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an unknown app', { client_id: 'app_01ARZ3NDEKTSV4RRFFQ69G5FAV' }, 401, 'invalid_client'],
    ['a missing secret', { client_secret: undefined }, 401, 'invalid_client'],
    ['a request without token', { token: undefined }, 400, 'invalid_request'],
    ['an empty token', { token: '' }, 400, 'invalid_request'],
    ['a token of another type', { token: ['x'] }, 400, 'invalid_request'],
  ])('rejects %s, and keeps the token valid', async (_, fields, status, error) => {
    const response = await post({ token: tokens.refresh_token, ...client.credentials, ...fields });
    expect({ status: response.status, error: response.body.error }).toEqual({ status, error });
    expect(typeof response.body.error_description).toBe('string');
    if (status === 401) expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  it.each(['GET', 'PUT', 'DELETE'])('rejects %s with 405 and Allow', async (method) => {
    const response = await server.request(method, '/api/oauth/revoke');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });
});
