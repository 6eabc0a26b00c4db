import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { RefreshToken } from '../../src/identity/oauth/refresh-token.entity.js';
import { RefreshTokenService } from '../../src/identity/oauth/refresh-token.service.js';
import type { StoredRefreshToken } from '../../src/identity/oauth/refresh-token-validity.js';
import { computeDigest, generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import type { PendingCommit } from '../../src/platform/database/transaction.service.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { refreshTokens, revokeToken } from '../support/token-endpoint.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { setClock, restoreClock, DAY_MS, advanceClock, SECOND_MS } from '../support/fake-clock.js';

describe('Refresh token states (spec §3)', () => {
  let server: TestServer;
  let account: Account;
  let client: TestApp;
  let token: string;

  beforeAll(async () => {
    server = await TestServer.start();
    client = await registerApp(server);
  });
  beforeEach(async () => {
    account = await createAccount(server);
    token = (await issueTokens(server, { app: client.app, account })).refresh_token;
  });
  afterEach(restoreClock);
  afterAll(() => server.stop());

  const refresh = (refreshToken: string, app = client): Promise<TestResponse> =>
    refreshTokens(server, app, refreshToken);
  const revoke = (revoked: string, app = client): Promise<TestResponse> => revokeToken(server, app, revoked);
  const find = async (text: string): Promise<StoredRefreshToken> => (await server.get(RefreshTokenService).find(text))!;
  const rotate = (
    token: StoredRefreshToken,
    successor = generateSecret('sam_refresh'),
  ): Promise<PendingCommit<boolean>> =>
    server.get(RefreshTokenService).rotate({ token, successorDigest: computeDigest(successor) });
  const expectInvalidGrant = ({ status, body }: TestResponse, pattern: RegExp): void => {
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_grant' });
    expect(body.error_description).toMatch(pattern);
  };

  it('valid, refresh request: marks the token as used and returns new tokens', async () => {
    const { status, body } = await refresh(token);
    expect(status).toBe(200);
    expectInvalidGrant(await refresh(token), /already used/);
    expect((await server.request('GET', '/api/markers', { token: body.access_token })).status).toBe(200);
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });

  it('valid, revoke request: revokes the token with 200', async () => {
    expect((await revoke(token)).status).toBe(200);
    expectInvalidGrant(await refresh(token), /revoked/);
    const events = await server.entityManager.findBy(AuditEvent, {
      type: 'authorization.revoked',
      accountId: account.id,
    });
    expect(events).toHaveLength(1);
  });

  it('valid, 30 days later: rejects the expired token with invalid_grant', async () => {
    advanceClock(30 * DAY_MS);
    expectInvalidGrant(await refresh(token), /expired/);
  });

  it('expires exactly 30 days after its issue', async () => {
    const [row] = await server.entityManager.findBy(RefreshToken, { authorization: { accountId: account.id } });
    setClock(row!.expiresAt.getTime());
    expectInvalidGrant(await refresh(token), /expired/);
  });

  it('keeps the token valid when the account is blocked between lookup and rotation', async () => {
    const [tokens, accounts] = [server.get(RefreshTokenService), server.get(AccountsService)];
    const stored = await find(token);
    await accounts.block(account.username, 'A test.');
    expect((await rotate(stored)).result).toBe(false);
    expect(await tokens.checkReuse(client.app, stored)).toBe('account_blocked');
    await accounts.unblock(account.username);
    expect((await refresh(token)).status).toBe(200);
  });

  it('rejects the token until the block ends by itself, and accepts it from then on', async () => {
    const now = Date.now();
    setClock(now);
    await server.get(AccountsService).block(account.username, 'A test.', new Date(now + DAY_MS));
    advanceClock(DAY_MS - 1);
    expectInvalidGrant(await refresh(token), /blocked/);
    expectInvalidGrant(await refresh(token), /blocked/);
    advanceClock(1);
    const { body } = await refresh(token);
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });

  it('keeps the token unused when its chain is revoked between lookup and rotation', async () => {
    const tokens = server.get(RefreshTokenService);
    const stored = await find(token);
    expect((await revoke(token)).status).toBe(200);
    expect((await rotate(stored)).result).toBe(false);
    expect(await tokens.checkReuse(client.app, stored)).toBe('revoked');
    expect(await server.entityManager.countBy(RefreshToken, { authorizationId: stored.authorizationId })).toBe(1);
  });

  it('keeps the token unused when it expires between lookup and rotation', async () => {
    const tokens = server.get(RefreshTokenService);
    const stored = await find(token);
    setClock(stored.expiresAt.getTime());
    expect((await rotate(stored)).result).toBe(false);
    expect(await tokens.checkReuse(client.app, stored)).toBe('expired');
    expect(await server.entityManager.countBy(RefreshToken, { authorizationId: stored.authorizationId })).toBe(1);
  });

  it('issues one successor when one batch has the same token twice', async () => {
    const stored = await find(token);
    const successors = Array.from({ length: 3 }, () => generateSecret('sam_refresh'));
    const rotations = await Promise.all(successors.map((successor) => rotate(stored, successor)));
    expect(rotations.map(({ result }) => result).sort()).toEqual([false, false, true]);
    const responses = await Promise.all(successors.map((successor) => refresh(successor)));
    expect(responses.map(({ status }) => status)).toEqual(rotations.map(({ result }) => (result ? 200 : 400)));
    expect(await server.entityManager.countBy(RefreshToken, { authorizationId: stored.authorizationId })).toBe(3);
  });

  it('accepts the token in the last second of its 30 days', async () => {
    advanceClock(30 * DAY_MS - 5 * SECOND_MS);
    expect((await refresh(token)).status).toBe(200);
  });

  it('restarts the 30 days with each successor', async () => {
    advanceClock(29 * DAY_MS);
    const { body } = await refresh(token);
    advanceClock(29 * DAY_MS);
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });

  it('rejects a refresh token that was already used, keeps its successor valid, and records it in the audit', async () => {
    const { body } = await refresh(token);
    expectInvalidGrant(await refresh(token), /already used/);
    expectInvalidGrant(await refresh(token), /already used/);
    expect((await refresh(body.refresh_token)).status).toBe(200);
    const events = await server.entityManager.findBy(AuditEvent, {
      type: 'refresh_token.reused',
      accountId: account.id,
    });
    expect(events).toHaveLength(2);
  });

  it('rejects a used token with invalid_grant before any other error of the request', async () => {
    await refresh(token);
    const body = { grant_type: 'refresh_token', refresh_token: token, scope: 'nonsense', ...client.credentials };
    expectInvalidGrant(await server.request('POST', '/api/oauth/token', { body }), /already used/);
    const events = await server.entityManager.findBy(AuditEvent, {
      type: 'refresh_token.reused',
      accountId: account.id,
    });
    expect(events).toMatchObject([{ appId: client.app.id, authorizationId: expect.stringMatching(/^aut_/) }]);
  });

  it('revoked, refresh request: rejects the token with invalid_grant', async () => {
    await revoke(token);
    expectInvalidGrant(await refresh(token), /revoked/);
    expectInvalidGrant(await refresh(token), /revoked/);
  });

  it('expired, refresh request: rejects the token with invalid_grant', async () => {
    advanceClock(31 * DAY_MS);
    expectInvalidGrant(await refresh(token), /expired/);
    expectInvalidGrant(await refresh(token), /expired/);
  });

  it('any state, account blocked: rejects the token until the account is unblocked', async () => {
    const accounts = server.get(AccountsService);
    await accounts.block(account.username, 'A test.');
    expectInvalidGrant(await refresh(token), /blocked/);
    expectInvalidGrant(await refresh(token), /blocked/);
    await accounts.unblock(account.username);
    expect((await refresh(token)).status).toBe(200);
    const events = await server.entityManager.findBy(AuditEvent, { accountId: account.id });
    expect(events.map(({ type }) => type).sort()).toEqual(['account.blocked', 'account.unblocked']);
  });

  it('revoked or unknown, revoke request: returns 200', async () => {
    await revoke(token);
    for (const gone of [token, 'nonsense', '', token.slice(0, -1)].filter(Boolean)) {
      const { status, body } = await revoke(gone);
      expect({ status, body }).toEqual({ status: 200, body: {} });
    }
  });

  it('rejects a token of another app, and keeps it valid', async () => {
    const other = await registerApp(server);
    expectInvalidGrant(await refresh(token, other), /another app/);
    expect((await refresh(token)).status).toBe(200);
  });

  it.each([
    ['changed in one character', (text: string) => text.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['truncated', (text: string) => text.slice(0, -3)],
    ['with a space', (text: string) => `${text} `],
    ['unknown', () => 'sam_refresh_invented'],
    ['of 60,000 characters', () => 'x'.repeat(60_000)],
    ['with a null character', (text: string) => `${text}\u0000`],
  ])('rejects a token that is %s with invalid_grant', async (_, change) => {
    expectInvalidGrant(await refresh(change(token)), /refresh_token is unknown/);
    expect((await refresh(token)).status).toBe(200);
  });

  it('stores a refresh token as a digest, and no access token', async () => {
    const { body } = await refresh(token);
    const rows = JSON.stringify(await server.entityManager.find(RefreshToken));
    expect(rows).not.toContain(token.slice(12, 40));
    expect(rows).not.toContain((body.refresh_token as string).slice(12, 40));
  });

  it('keeps the chains of two devices independent', async () => {
    const other = (await issueTokens(server, { app: client.app, account })).refresh_token;
    await revoke(token);
    await refresh(token);
    expect((await refresh(other)).status).toBe(200);
  });
});

describe('Used refresh token with REFRESH_TOKEN_REUSE=revoke-grant (RFC 9700 §4.14.2)', () => {
  let server: TestServer;
  let client: TestApp;
  let token: string;

  beforeAll(async () => {
    server = await TestServer.start({ REFRESH_TOKEN_REUSE: 'revoke-grant' });
    client = await registerApp(server);
  });
  beforeEach(async () => {
    token = (await issueTokens(server, { app: client.app, account: await createAccount(server) })).refresh_token;
  });
  afterEach(restoreClock);
  afterAll(() => server.stop());

  const refresh = (refreshToken: string): Promise<TestResponse> => refreshTokens(server, client, refreshToken);

  it('revokes the grant when the successor was used', async () => {
    const { body } = await refresh(token);
    const next = await refresh(body.refresh_token);
    expect((await refresh(token)).body.error).toBe('invalid_grant');
    expect((await refresh(next.body.refresh_token)).body.error_description).toMatch(/revoked/);
  });

  it('revokes the grant when the successor is older than 10 seconds', async () => {
    const { body } = await refresh(token);
    advanceClock(11 * SECOND_MS);
    await refresh(token);
    expect((await refresh(body.refresh_token)).body.error_description).toMatch(/revoked/);
  });

  it('keeps the grant when the successor is unused and at most 10 seconds old', async () => {
    const { body } = await refresh(token);
    expect((await refresh(token)).body.error_description).toMatch(/already used/);
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });
});
