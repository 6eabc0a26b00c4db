import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { RefreshToken } from '../../src/identity/oauth/refresh-token.entity.js';
import { RefreshTokensService } from '../../src/identity/oauth/refresh-tokens.service.js';
import { RefreshTokensStore, type StoredRefreshToken } from '../../src/identity/oauth/refresh-tokens.store.js';
import { computeDigest, generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import type { Committed } from '../../src/platform/database/transaction.service.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { setClock, restoreClock, DAY_MS, advanceClock, SECOND_MS } from '../support/fake-clock.js';

describe('A refresh token (spec §3)', () => {
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

  const refresh = (refresh_token: string, { credentials } = client): Promise<TestResponse> =>
    server.request('POST', '/api/oauth/token', {
      body: { grant_type: 'refresh_token', refresh_token, ...credentials },
    });
  const revoke = (revoked: string, { credentials } = client): Promise<TestResponse> =>
    server.request('POST', '/api/oauth/revoke', { body: { token: revoked, ...credentials } });
  const find = async (text: string): Promise<StoredRefreshToken> => (await server.get(RefreshTokensStore).find(text))!;
  const rotate = (
    { digest }: StoredRefreshToken,
    successor = generateSecret('sam_refresh'),
  ): Promise<Committed<boolean>> =>
    server.get(RefreshTokensStore).rotate({ digest, successorDigest: computeDigest(successor) });
  const expectGone = ({ status, body }: TestResponse, why: RegExp): void => {
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_grant' });
    expect(body.error_description).toMatch(why);
  };

  it('valid, refresh request: used, and a new access token and a new refresh token are returned', async () => {
    const { status, body } = await refresh(token);
    expect(status).toBe(200);
    expectGone(await refresh(token), /already used/);
    expect((await server.request('GET', '/api/markers', { token: body.access_token })).status).toBe(200);
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });

  it('valid, revoke request: revoked, and the answer is 200', async () => {
    expect((await revoke(token)).status).toBe(200);
    expectGone(await refresh(token), /revoked/);
    const events = await server.entityManager.findBy(AuditEvent, {
      type: 'authorization.revoked',
      accountId: account.id,
    });
    expect(events).toHaveLength(1);
  });

  it('valid, 30 days pass: expired, and further use gives invalid_grant', async () => {
    advanceClock(30 * DAY_MS);
    expectGone(await refresh(token), /expired/);
  });

  it('is expired in the moment in which its 30 days end', async () => {
    const [row] = await server.entityManager.findBy(RefreshToken, { authorization: { accountId: account.id } });
    setClock(row!.expiresAt.getTime());
    expectGone(await refresh(token), /expired/);
  });

  it('is not spent where the account is blocked after it was looked up', async () => {
    const [tokens, accounts] = [server.get(RefreshTokensService), server.get(AccountsService)];
    const found = await find(token);
    await accounts.block(account.username, 'A test.');
    expect((await rotate(found)).result).toBe(false);
    await expect(tokens.rejectInvalid(found)).rejects.toThrow(/blocked/);
    await accounts.unblock(account.username);
    expect((await refresh(token)).status).toBe(200);
  });

  it('is not spent where its chain was revoked after it was looked up', async () => {
    const tokens = server.get(RefreshTokensService);
    const found = await find(token);
    expect((await revoke(token)).status).toBe(200);
    expect((await rotate(found)).result).toBe(false);
    await expect(tokens.rejectInvalid(found)).rejects.toThrow(/revoked/);
    expect(await server.entityManager.countBy(RefreshToken, { authorizationId: found.authorizationId })).toBe(1);
  });

  it('is not spent where it expired after it was looked up', async () => {
    const tokens = server.get(RefreshTokensService);
    const found = await find(token);
    setClock(found.expiresAt.getTime());
    expect((await rotate(found)).result).toBe(false);
    await expect(tokens.rejectInvalid(found)).rejects.toThrow(/expired/);
    expect(await server.entityManager.countBy(RefreshToken, { authorizationId: found.authorizationId })).toBe(1);
  });

  it('is spent for one successor where it is presented twice in the same moment, and the other is told so', async () => {
    const found = await find(token);
    const successors = Array.from({ length: 3 }, () => generateSecret('sam_refresh'));
    const rotations = await Promise.all(successors.map((successor) => rotate(found, successor)));
    expect(rotations.map(({ result }) => result).sort()).toEqual([false, false, true]);
    const answers = await Promise.all(successors.map((successor) => refresh(successor)));
    expect(answers.map(({ status }) => status)).toEqual(rotations.map(({ result }) => (result ? 200 : 400)));
    expect(await server.entityManager.countBy(RefreshToken, { authorizationId: found.authorizationId })).toBe(3);
  });

  it('is valid until the last second of its 30 days', async () => {
    advanceClock(30 * DAY_MS - 5 * SECOND_MS);
    expect((await refresh(token)).status).toBe(200);
  });

  it('begins its 30 days anew with each successor', async () => {
    advanceClock(29 * DAY_MS);
    const { body } = await refresh(token);
    advanceClock(29 * DAY_MS);
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });

  it('used, refresh request: unchanged, invalid_grant, its successor lives on, and the audit knows', async () => {
    const { body } = await refresh(token);
    expectGone(await refresh(token), /already used/);
    expectGone(await refresh(token), /already used/);
    expect((await refresh(body.refresh_token)).status).toBe(200);
    const events = await server.entityManager.findBy(AuditEvent, {
      type: 'refresh_token.reused',
      accountId: account.id,
    });
    expect(events).toHaveLength(2);
  });

  it('used, refresh request: is invalid_grant whatever else is wrong with the request, and the audit knows', async () => {
    await refresh(token);
    const body = { grant_type: 'refresh_token', refresh_token: token, scope: 'nonsense', ...client.credentials };
    expectGone(await server.request('POST', '/api/oauth/token', { body }), /already used/);
    const events = await server.entityManager.findBy(AuditEvent, {
      type: 'refresh_token.reused',
      accountId: account.id,
    });
    expect(events).toMatchObject([{ appId: client.app.id, authorizationId: expect.stringMatching(/^aut_/) }]);
  });

  it('revoked, refresh request: unchanged, invalid_grant', async () => {
    await revoke(token);
    expectGone(await refresh(token), /revoked/);
    expectGone(await refresh(token), /revoked/);
  });

  it('expired, refresh request: unchanged, invalid_grant', async () => {
    advanceClock(31 * DAY_MS);
    expectGone(await refresh(token), /expired/);
    expectGone(await refresh(token), /expired/);
  });

  it("any, person's account is blocked: not usable, and usable again once it is unblocked", async () => {
    const accounts = server.get(AccountsService);
    await accounts.block(account.username, 'A test.');
    expectGone(await refresh(token), /blocked/);
    expectGone(await refresh(token), /blocked/);
    await accounts.unblock(account.username);
    expect((await refresh(token)).status).toBe(200);
    const events = await server.entityManager.findBy(AuditEvent, { accountId: account.id });
    expect(events.map(({ type }) => type).sort()).toEqual(['account.blocked', 'account.unblocked']);
  });

  it('revoked or unknown, revoke request: unchanged, and still 200', async () => {
    await revoke(token);
    for (const gone of [token, 'nonsense', '', token.slice(0, -1)].filter(Boolean)) {
      const { status, body } = await revoke(gone);
      expect({ status, body }).toEqual({ status: 200, body: {} });
    }
  });

  it('of another app is invalid_grant, and stays valid', async () => {
    const other = await registerApp(server);
    expectGone(await refresh(token, other), /another app/);
    expect((await refresh(token)).status).toBe(200);
  });

  it.each([
    ['mistyped', (text: string) => text.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['cut short', (text: string) => text.slice(0, -3)],
    ['with a space', (text: string) => `${text} `],
    ['invented', () => 'sam_refresh_invented'],
    ['of 60,000 characters', () => 'x'.repeat(60_000)],
    ['with a null character', (text: string) => `${text}\u0000`],
  ])('that is %s is invalid_grant', async (_, spoil) => {
    expectGone(await refresh(spoil(token)), /no such refresh token/);
    expect((await refresh(token)).status).toBe(200);
  });

  it('is stored as a digest alone, and an access token not at all', async () => {
    const { body } = await refresh(token);
    const rows = JSON.stringify(await server.entityManager.find(RefreshToken));
    expect(rows).not.toContain(token.slice(12, 40));
    expect(rows).not.toContain((body.refresh_token as string).slice(12, 40));
  });

  it('belongs to a chain of its own: two devices never end each other', async () => {
    const other = (await issueTokens(server, { app: client.app, account })).refresh_token;
    await revoke(token);
    await refresh(token);
    expect((await refresh(other)).status).toBe(200);
  });
});

describe('A used refresh token, with REFRESH_TOKEN_REUSE=revoke-grant (RFC 9700 §4.14.2)', () => {
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

  const refresh = (refresh_token: string): Promise<TestResponse> =>
    server.request('POST', '/api/oauth/token', {
      body: { grant_type: 'refresh_token', refresh_token, ...client.credentials },
    });

  it('ends the whole chain where its successor was used', async () => {
    const { body } = await refresh(token);
    const next = await refresh(body.refresh_token);
    expect((await refresh(token)).body.error).toBe('invalid_grant');
    expect((await refresh(next.body.refresh_token)).body.error_description).toMatch(/revoked/);
  });

  it('ends the whole chain where its successor is older than 10 seconds', async () => {
    const { body } = await refresh(token);
    advanceClock(11 * SECOND_MS);
    await refresh(token);
    expect((await refresh(body.refresh_token)).body.error_description).toMatch(/revoked/);
  });

  it('leaves the chain where its successor is unused and at most 10 seconds old', async () => {
    const { body } = await refresh(token);
    expect((await refresh(token)).body.error_description).toMatch(/already used/);
    expect((await refresh(body.refresh_token)).status).toBe(200);
  });
});
