import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { In } from 'typeorm';
import { Account, type AccountBlock, NO_BLOCK } from '../../src/identity/accounts/account.entity.js';
import { App } from '../../src/identity/apps/app.entity.js';
import { Authorization } from '../../src/identity/oauth/authorization.entity.js';
import { Consent } from '../../src/identity/oauth/consents/consent.entity.js';
import { getRefreshTokenRejection, type StoredRefreshToken } from '../../src/identity/oauth/refresh-token-validity.js';
import { RefreshToken } from '../../src/identity/oauth/refresh-token.entity.js';
import { RefreshTokensStore } from '../../src/identity/oauth/refresh-tokens.store.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { computeDigest } from '../../src/platform/crypto/opaque-secret.js';
import { generateId } from '../../src/platform/database/ids.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { createAccount, registerApp } from '../support/factories.js';
import { DAY_MS, SECOND_MS } from '../support/fake-clock.js';
import { TestServer } from '../support/test-server.js';

const SCOPES: Scope[] = ['profile', 'markers:read'];
const BOOLEANS = [false, true];
const BLOCKS = ['none', 'without an end', 'with an end', 'ends now'] as const;
const CONSENTS = ['given', 'narrowed', 'withdrawn', 'none, by the operator'] as const;
const REGISTRATIONS: Scope[][] = [SCOPES, ['profile', 'artists:read'], ['artists:read']];

/** A token in one combination of states. */
interface Case {
  name: string;
  digest: string;
  authorizationId: string;
  isUsed: boolean;
  isRevoked: boolean;
}

/** Rolls a transaction back, and returns the result. */
class Rollback<T> extends Error {
  constructor(readonly result: T) {
    super('Rolled back.');
  }
}

describe('The rule in TypeScript and the condition in SQL', () => {
  let server: TestServer;
  let store: RefreshTokensStore;
  /** The time at which both rules are asked. */
  let now: Date;
  const cases: Case[] = [];
  /** The tokens before and after their states changed. */
  let before: StoredRefreshToken[];
  let after: StoredRefreshToken[];

  const find = async (): Promise<StoredRefreshToken[]> =>
    (await store.findMany(cases.map(({ digest }) => digest))).map((token) => token!);

  /** Returns the names of the tokens that each batch marks as used. Nothing is stored. */
  const mark = async (batches: StoredRefreshToken[][], now: number): Promise<string[]> => {
    const names = new Map(cases.map(({ digest, name }) => [computeDigest(digest), name]));
    const marked = await server
      .get(TransactionService)
      .run(async (tx): Promise<Set<string>[]> => {
        const results: Set<string>[] = [];
        for (const tokens of batches) {
          const rotations = tokens.map((token) => ({ token, successorDigest: computeDigest(token.digest) }));
          results.push(await store.rotateMany(tx, rotations, now));
        }
        throw new Rollback(results);
      })
      .catch((error: unknown) => {
        if (error instanceof Rollback) return error.result as Set<string>[];
        throw error;
      });
    return marked.flatMap((digests) => [...digests].map((digest) => names.get(digest)!)).sort();
  };

  const select = (isExpected: (index: number) => boolean): string[] =>
    cases.flatMap(({ name }, index) => (isExpected(index) ? [name] : [])).sort();

  beforeAll(async () => {
    server = await TestServer.start({ GRANT_LIFETIME: '86400' });
    store = server.get(RefreshTokensStore);
    now = new Date();
    const [accounts, apps] = [await createAccounts(server), await createApps(server)];
    await server.get(TransactionService).run(async (tx) => {
      for (const { account, consent, block } of accounts) {
        for (const { app, registration, isDisabled } of apps) {
          const key = { accountId: account.id, appId: app.id };
          const isConsented = consent !== 'none, by the operator';
          const times = { createdAt: now, updatedAt: now, withdrawnAt: null };
          if (isConsented) await tx.insert(Consent, { id: generateId('cns'), ...key, scopes: SCOPES, ...times });
          const states = Array.from({ length: 16 }, (_, bits) => {
            const [isUsed, isRevoked, isExpired, isOld] = [1, 2, 4, 8].map((bit) => (bits & bit) > 0);
            const state = { block, isDisabled, isUsed, isRevoked, isExpired, isOld };
            const name = JSON.stringify({ consent, registration: registration.join(' '), ...state });
            const ids = { digest: computeDigest(name), authorizationId: generateId('aut') };
            cases.push({ name, ...ids, isUsed: isUsed!, isRevoked: isRevoked! });
            return { ...state, ...ids };
          });
          await tx.insert(
            Authorization,
            states.map(({ authorizationId, isOld }) => ({
              id: authorizationId,
              ...key,
              scopes: SCOPES,
              authTime: now,
              browser: null,
              consentedAt: isConsented ? now : null,
              createdAt: new Date(now.getTime() - (isOld ? 2 * DAY_MS : 0)),
              revokedAt: null,
            })),
          );
          await tx.insert(
            RefreshToken,
            states.map(({ digest, authorizationId, isExpired }) => ({
              digest,
              authorizationId,
              issuedAt: now,
              expiresAt: new Date(now.getTime() + (isExpired ? -SECOND_MS : 3600 * SECOND_MS)),
              usedAt: null,
              successorDigest: null,
            })),
          );
        }
      }
    });
    before = await find();
    await server.get(TransactionService).run(async (tx) => {
      const used = cases.filter(({ isUsed }) => isUsed).map(({ digest }) => digest);
      await tx.update(RefreshToken, { digest: In(used) }, { usedAt: now, successorDigest: computeDigest('used') });
      const revoked = cases.filter(({ isRevoked }) => isRevoked).map(({ authorizationId }) => authorizationId);
      await tx.update(Authorization, { id: In(revoked) }, { revokedAt: now });
      for (const { account, consent, block } of accounts) {
        const accountId = account.id;
        await tx.update(Account, { id: accountId }, buildBlock(block, now));
        if (consent === 'narrowed') await tx.update(Consent, { accountId }, { scopes: ['markers:read'] });
        if (consent === 'withdrawn') await tx.update(Consent, { accountId }, { withdrawnAt: now });
      }
      for (const { app, registration, isDisabled } of apps)
        await tx.update(App, { id: app.id }, { scopes: registration, disabledAt: isDisabled ? now : null });
    });
    after = await find();
  });
  afterAll(() => server.stop());

  it('cover every reason for which a stored token is invalid', () => {
    const reasons = new Set(after.map((token) => getRefreshTokenRejection(token, now)));
    expect(cases).toHaveLength(1536);
    expect([...reasons].map(String).sort()).toEqual([
      'account_blocked',
      'authorization_expired',
      'expired',
      'revoked',
      'scopes_withdrawn',
      'undefined',
      'used',
    ]);
  });

  it.each([
    ['in one batch', (tokens: StoredRefreshToken[]): StoredRefreshToken[][] => [tokens]],
    ['one by one', (tokens: StoredRefreshToken[]): StoredRefreshToken[][] => tokens.map((token) => [token])],
  ])('agree about tokens in all states, %s', async (_, toBatches) => {
    const isValid = (index: number): boolean => getRefreshTokenRejection(after[index]!, now) === undefined;
    // A request whose scopes are withdrawn is rejected before it reaches the condition.
    const asked = after.filter((token) => token.allowedScopes.length > 0);
    expect(await mark(toBatches(asked), now.getTime())).toEqual(select(isValid));
    expect(select(isValid).length).toBeGreaterThan(0);
  });

  it.each([
    ['in one batch', (tokens: StoredRefreshToken[]): StoredRefreshToken[][] => [tokens]],
    ['one by one', (tokens: StoredRefreshToken[]): StoredRefreshToken[][] => tokens.map((token) => [token])],
  ])('agree about tokens whose state changed after they were found, %s', async (_, toBatches) => {
    const isRotatable = (index: number): boolean =>
      getRefreshTokenRejection(after[index]!, now) === undefined &&
      after[index]!.registeredScopes === before[index]!.registeredScopes &&
      after[index]!.consentedScopes === before[index]!.consentedScopes;
    expect(await mark(toBatches(before), now.getTime())).toEqual(select(isRotatable));
    expect(select(isRotatable).length).toBeGreaterThan(0);
  });
});

async function createAccounts(
  server: TestServer,
): Promise<{ account: Account; consent: (typeof CONSENTS)[number]; block: (typeof BLOCKS)[number] }[]> {
  const accounts = [];
  for (const consent of CONSENTS)
    for (const block of BLOCKS) accounts.push({ account: await createAccount(server), consent, block });
  return accounts;
}

async function createApps(server: TestServer): Promise<{ app: App; registration: Scope[]; isDisabled: boolean }[]> {
  const apps = [];
  for (const registration of REGISTRATIONS)
    for (const isDisabled of BOOLEANS)
      apps.push({ app: (await registerApp(server, { scopes: SCOPES })).app, registration, isDisabled });
  return apps;
}

function buildBlock(block: (typeof BLOCKS)[number], now: Date): AccountBlock {
  if (block === 'none') return NO_BLOCK;
  const ends = { 'without an end': null, 'with an end': new Date(now.getTime() + 1), 'ends now': now };
  return { blockedAt: new Date(now.getTime() - SECOND_MS), blockedReason: 'A test.', blockedUntil: ends[block] };
}
