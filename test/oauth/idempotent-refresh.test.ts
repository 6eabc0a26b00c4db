import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { AesGcmCipher } from '../../src/platform/crypto/aes-gcm-cipher.js';
import { RefreshToken } from '../../src/identity/oauth/refresh-token.entity.js';
import { IdempotentResponse } from '../../src/platform/idempotency/idempotent-response.entity.js';
import { RetentionService } from '../../src/platform/scheduling/retention.service.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { refreshTokens } from '../support/token-endpoint.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';

const IDEMPOTENCY_KEY = '8e03978e-40d5-43dd-bc93-6894a57f9324';

describe('Refresh with an Idempotency-Key', () => {
  let server: TestServer;
  let account: Account;
  let client: TestApp;
  let token: string;

  beforeAll(async () => {
    server = await TestServer.start({ REFRESH_TOKEN_REUSE: 'revoke-grant' });
    client = await registerApp(server);
  });
  beforeEach(async () => {
    account = await createAccount(server);
    token = (await issueTokens(server, { app: client.app, account })).refresh_token;
  });
  afterEach(restoreClock);
  afterAll(() => server.stop());

  const refresh = (refreshToken: string, key?: string, fields: Record<string, unknown> = {}): Promise<TestResponse> =>
    refreshTokens(server, client, refreshToken, fields, key === undefined ? {} : { 'Idempotency-Key': key });
  const expectAlreadyUsed = ({ status, body }: TestResponse): void => {
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_grant' });
    expect(body.error_description).toMatch(/already used/);
  };

  it('returns the same response for the same key and token, without another rotation', async () => {
    const first = await refresh(token, IDEMPOTENCY_KEY);
    const again = await refresh(token, IDEMPOTENCY_KEY);
    expect(first.status).toBe(200);
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body });
    expect(await server.entityManager.countBy(RefreshToken, { authorization: { accountId: account.id } })).toBe(2);
    expect(await server.entityManager.countBy(AuditEvent, { accountId: account.id })).toBe(0);
    expect((await refresh(first.body.refresh_token)).status).toBe(200);
  });

  it('returns the same response to two concurrent requests', async () => {
    const responses = await Promise.all([1, 2, 3, 4].map(() => refresh(token, IDEMPOTENCY_KEY)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ body }) => body.refresh_token)).size).toBe(1);
  });

  it('rejects the request when the successor was used', async () => {
    const { body } = await refresh(token, IDEMPOTENCY_KEY);
    expect((await refresh(body.refresh_token)).status).toBe(200);
    expectAlreadyUsed(await refresh(token, IDEMPOTENCY_KEY));
  });

  it.each([
    ['with another key', 'another', {}],
    ['without a key', undefined, {}],
    ['for another scope', IDEMPOTENCY_KEY, { scope: 'markers:read' }],
  ])('rejects a repeated request %s', async (_, key, overrides) => {
    await refresh(token, IDEMPOTENCY_KEY);
    expectAlreadyUsed(await refresh(token, key, overrides));
  });

  it('rejects the request after one minute', async () => {
    await refresh(token, IDEMPOTENCY_KEY);
    advanceClock(60 * SECOND_MS);
    expectAlreadyUsed(await refresh(token, IDEMPOTENCY_KEY));
  });

  it('rejects the request when the first refresh had no key', async () => {
    await refresh(token);
    expectAlreadyUsed(await refresh(token, IDEMPOTENCY_KEY));
  });

  it('rejects the request when the chain was revoked or the account was blocked', async () => {
    const { body } = await refresh(token, IDEMPOTENCY_KEY);
    await server.get(AccountsService).block(account.username, 'A test.');
    expect((await refresh(token, IDEMPOTENCY_KEY)).body.error_description).toMatch(/blocked/);
    expect(
      await server.entityManager.countBy(AuditEvent, { accountId: account.id, type: 'refresh_token.reused' }),
    ).toBe(0);
    await server.get(AccountsService).unblock(account.username);
    expect(
      (
        await server.request('POST', '/api/oauth/revoke', {
          body: { token: body.refresh_token, ...client.credentials },
        })
      ).status,
    ).toBe(200);
    expect((await refresh(token, IDEMPOTENCY_KEY)).body.error_description).toMatch(/revoked/);
  });

  it('rejects the request of another app with the same key', async () => {
    await refresh(token, IDEMPOTENCY_KEY);
    const { credentials } = await registerApp(server);
    expect((await refresh(token, IDEMPOTENCY_KEY, credentials)).body.error_description).toMatch(/another app/);
  });

  it.each([
    ['', 'nothing'],
    ['two words', 'spaces'],
    ['k'.repeat(256), '256 characters'],
  ])('rejects malformed key %# with invalid_request, and keeps the token valid', async (key) => {
    expect((await refresh(token, key)).body.error).toBe('invalid_request');
    expect((await refresh(token)).status).toBe(200);
  });

  it('encrypts the stored response with the refresh token', async () => {
    const { body } = await refresh(token, IDEMPOTENCY_KEY);
    const rows = await server.entityManager.find(IdempotentResponse);
    const { encryptedResponse } = rows.find(
      (row) => new AesGcmCipher([token], 'refresh-answer').decrypt(row.encryptedResponse) !== undefined,
    )!;
    expect(JSON.stringify(rows)).not.toContain(body.refresh_token.slice(-20));
    expect(new AesGcmCipher([IDEMPOTENCY_KEY], 'refresh-answer').decrypt(encryptedResponse)).toBeUndefined();
    expect(
      new AesGcmCipher(server.settings.MASTER_SECRET, 'refresh-answer').decrypt(encryptedResponse),
    ).toBeUndefined();
  });

  it('deletes the stored response with the retention task', async () => {
    await refresh(token, IDEMPOTENCY_KEY);
    advanceClock(61 * SECOND_MS);
    await server.get(RetentionService).deleteExpired(Date.now());
    expect(await server.entityManager.count(IdempotentResponse)).toBe(0);
  });
});
