import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TokenResponse } from '../../src/identity/oauth/token-response.dto.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';

describe('The revoke endpoint (spec §4, RFC 7009)', () => {
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
  const refresh = (refresh_token: string): Promise<TestResponse> =>
    server.request('POST', '/api/oauth/token', {
      body: { grant_type: 'refresh_token', refresh_token, ...client.credentials },
    });
  const expectEmpty = ({ status, headers, body }: TestResponse): void => {
    expect({ status, body }).toEqual({ status: 200, body: {} });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  };

  it('answers 200 and an empty object, and the token works no more', async () => {
    expectEmpty(await revoke(tokens.refresh_token));
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('accepts a form, Basic credentials and a hint of the type', async () => {
    const { client_id, client_secret } = client.credentials;
    const form = new URLSearchParams({ token: tokens.refresh_token, token_type_hint: 'refresh_token' }).toString();
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      Authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}`,
    };
    expectEmpty(await post(form, headers));
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('answers 200 for a token that was already gone, or never was', async () => {
    expectEmpty(await revoke(tokens.refresh_token));
    expectEmpty(await revoke(tokens.refresh_token));
    expectEmpty(await revoke('nobody knows this'));
    expectEmpty(await revoke('\u0000\ud800'));
  });

  it('answers 200 for an access token, which stays valid until its expiry', async () => {
    expectEmpty(await revoke(tokens.access_token));
    expect((await server.request('GET', '/api/markers', { token: tokens.access_token })).status).toBe(200);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  it("leaves another app's token alone, and answers the same", async () => {
    expectEmpty(await revoke(tokens.refresh_token, await registerApp(server)));
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('ends the successors of a spent token too', async () => {
    const second = (await refresh(tokens.refresh_token)).body.refresh_token as string;
    const third = (await refresh(second)).body.refresh_token as string;
    expectEmpty(await revoke(tokens.refresh_token));
    expect((await refresh(third)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('leaves nothing alive of a chain that is refreshed at the same moment', async () => {
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
    ['a token that is no string', { token: ['x'] }, 400, 'invalid_request'],
  ])('refuses %s, and revokes nothing', async (_, fields, status, error) => {
    const answer = await post({ token: tokens.refresh_token, ...client.credentials, ...fields });
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status, error });
    expect(typeof answer.body.error_description).toBe('string');
    if (status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  it.each(['GET', 'PUT', 'DELETE'])('refuses %s with 405 and Allow', async (method) => {
    const answer = await server.request(method, '/api/oauth/revoke');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });
});
