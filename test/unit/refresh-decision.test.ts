import { describe, expect, it } from '@jest/globals';
import {
  decideRefresh,
  endsChainOnReuse,
  type RefreshFacts,
} from '../../src/identity/oauth/grants/refresh-decision.js';
import type { ClientType } from '../../src/identity/apps/app.entity.js';
import type { StoredRefreshToken } from '../../src/identity/oauth/refresh-token-validity.js';
import type { Resource } from '../../src/identity/scopes/resources.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { DAY_MS, SECOND_MS } from '../support/fake-clock.js';

const NOW = new Date('2026-11-25T12:00:00Z');
const EARLIER = new Date(NOW.getTime() - SECOND_MS);
const SCOPES: Scope[] = ['profile', 'markers:read'];
const PARAMS = { appId: 'app_1', scope: undefined, resource: undefined, jkt: undefined };

/** A valid token, with changes. */
function buildToken(changes: Partial<StoredRefreshToken> = {}): StoredRefreshToken {
  return {
    digest: 'presented',
    successorDigest: null,
    issuedAt: EARLIER,
    expiresAt: new Date(NOW.getTime() + 30 * DAY_MS),
    usedAt: null,
    authorizationId: 'aut_1',
    accountId: 'usr_1',
    appId: 'app_1',
    authorizedAt: EARLIER,
    dpopJkt: null,
    authorizationExpiresAt: null,
    scopes: SCOPES,
    resources: ['api'],
    allowedScopes: SCOPES,
    registeredScopes: JSON.stringify(SCOPES),
    consentedScopes: JSON.stringify(SCOPES),
    revokedAt: null,
    blockedAt: null,
    blockedUntil: null,
    ...changes,
  };
}

const used = { usedAt: EARLIER, successorDigest: 'successor' };
const revoked = { revokedAt: EARLIER };
const blocked = { blockedAt: EARLIER };
const blockedForNow = { ...blocked, blockedUntil: new Date(NOW.getTime() + 1) };
const unblockedByTime = { ...blocked, blockedUntil: NOW };
const expired = { expiresAt: NOW };
const withdrawn = { allowedScopes: [] };

/** The facts about a used token whose successor this client may have received. */
function buildReplay(changes: Partial<StoredRefreshToken> = {}, facts: Partial<RefreshFacts> = {}): RefreshFacts {
  return { token: buildToken(used), successor: buildToken(changes), successorText: 'sam_refresh_next', ...facts };
}

function decide(facts: RefreshFacts, scope?: string, appId = 'app_1'): string {
  const decision = decideRefresh(facts, { ...PARAMS, appId, scope }, NOW);
  if (decision.action === 'reject') return `reject: ${decision.reason}`;
  return 'scopes' in decision ? `${decision.action}: ${decision.scopes.join(' ')}` : decision.action;
}

describe('decideRefresh', () => {
  it.each<[state: string, token: StoredRefreshToken | undefined, decision: string]>([
    ['valid', buildToken(), 'rotate: profile markers:read'],
    ['used', buildToken(used), 'check-reuse'],
    ['revoked', buildToken(revoked), 'reject: revoked'],
    ['expired', buildToken(expired), 'reject: expired'],
    ['valid, of a blocked account', buildToken(blocked), 'reject: account_blocked'],
    ['valid, of an account whose block ends in a millisecond', buildToken(blockedForNow), 'reject: account_blocked'],
    ['valid, of an account whose block ends now', buildToken(unblockedByTime), 'rotate: profile markers:read'],
    ['expired, of an account whose block ends now', buildToken({ ...unblockedByTime, ...expired }), 'reject: expired'],
    ['used, of a blocked account', buildToken({ ...used, ...blocked }), 'check-reuse'],
    ['revoked, of a blocked account', buildToken({ ...revoked, ...blocked }), 'reject: revoked'],
    ['expired, of a blocked account', buildToken({ ...expired, ...blocked }), 'reject: expired'],
    ['used and revoked', buildToken({ ...used, ...revoked }), 'reject: revoked'],
    ['used and expired', buildToken({ ...used, ...expired }), 'check-reuse'],
    ['unknown', undefined, 'reject: unknown'],
    ['valid, one millisecond before it expires', buildToken({ expiresAt: new Date(NOW.getTime() + 1) }), 'rotate'],
    ['valid, at the maximum age', buildToken({ authorizationExpiresAt: NOW }), 'reject: authorization_expired'],
    ['valid, without an allowed scope', buildToken(withdrawn), 'reject: scopes_withdrawn'],
    ['valid, with one allowed scope', buildToken({ allowedScopes: ['profile'] }), 'rotate: profile'],
  ])('a refresh token that is %s (spec §3)', (_, token, decision) => {
    expect(decide({ token })).toMatch(new RegExp(`^${decision}`));
  });

  it('rejects a token of another app in every state', () => {
    for (const changes of [{}, used, revoked, expired, blocked])
      expect(decide({ token: buildToken(changes) }, undefined, 'app_2')).toBe('reject: client_mismatch');
  });

  it('rejects a token that is bound to another key in every state', () => {
    for (const changes of [{}, used, revoked, expired, blocked])
      for (const jkt of [undefined, 'other']) {
        const token = buildToken({ ...changes, dpopJkt: 'key' });
        const rejection = { action: 'reject', reason: 'dpop_key_mismatch' };
        expect(decideRefresh({ token }, { ...PARAMS, jkt }, NOW)).toMatchObject(rejection);
      }
    const token = buildToken({ dpopJkt: 'key' });
    expect(decideRefresh({ token }, { ...PARAMS, jkt: 'key' }, NOW)).toMatchObject({ action: 'rotate' });
  });

  it.each([
    ['markers:read', 'rotate: markers:read'],
    ['markers:read profile', 'rotate: profile markers:read'],
    ['', 'reject: invalid_scope'],
    ['edits:write', 'reject: invalid_scope'],
    ['profile edits:write', 'reject: invalid_scope'],
  ])('with the parameter scope=%j', (scope, decision) => {
    expect(decide({ token: buildToken() }, scope)).toBe(decision);
    expect(decide(buildReplay(), scope)).toBe(decision.replace('rotate', 'replay'));
    expect(decide({ token: buildToken(used) }, scope)).toBe('check-reuse');
  });

  it('rejects a granted scope that is not allowed now', () => {
    expect(decide({ token: buildToken({ allowedScopes: ['profile'] }) }, 'markers:read')).toBe('reject: invalid_scope');
  });

  it.each<[allowed: Resource[], requested: Resource | undefined, resource: Resource | undefined]>([
    [['api'], undefined, 'api'],
    [['api'], 'mcp', undefined],
    [['mcp'], undefined, 'mcp'],
    [['mcp'], 'api', undefined],
    [['mcp', 'api'], undefined, 'api'],
    [['mcp', 'api'], 'mcp', 'mcp'],
  ])('with the allowed resources %j and the requested one %j', (resources, requested, expected) => {
    const params = { ...PARAMS, resource: requested };
    const decision = decideRefresh({ token: buildToken({ resources }) }, params, NOW);
    const rejection = { action: 'reject', reason: 'invalid_target' };
    expect(decision).toMatchObject(expected ? { action: 'rotate', resource: expected } : rejection);
  });

  it.each<[successor: string, changes: Partial<StoredRefreshToken>, decision: string]>([
    ['valid', {}, 'replay: profile markers:read'],
    ['valid, with one allowed scope', { allowedScopes: ['profile'] }, 'replay: profile'],
    ['used', used, 'check-reuse'],
    ['expired', expired, 'check-reuse'],
    ['of a blocked account', blocked, 'reject: account_blocked'],
    ['of an account whose block ends now', unblockedByTime, 'replay: profile markers:read'],
    ['without an allowed scope', withdrawn, 'reject: scopes_withdrawn'],
  ])('a used token whose known successor is %s', (_, changes, decision) => {
    expect(decide(buildReplay(changes))).toBe(decision);
  });

  it('rejects an own rotation whose successor is invalid without a record of a reuse', () => {
    const own = (facts: RefreshFacts): object => decideRefresh({ ...facts, isOwnRotation: true }, PARAMS, NOW);
    for (const [changes, reason] of [
      [used, 'used'],
      [revoked, 'revoked'],
      [expired, 'expired'],
    ] as const)
      expect(own(buildReplay(changes))).toMatchObject({ action: 'reject', reason });
    expect(own({ token: buildToken(used) })).toMatchObject({ action: 'reject', reason: 'unknown' });
  });

  it('replays nothing if the successor is not known to the client', () => {
    expect(decide(buildReplay({}, { successorText: undefined }))).toBe('check-reuse');
  });

  it('waits while the rotation may be undone: its successor is new and unused', () => {
    const unknown = { successorText: undefined };
    expect(decide(buildReplay({}, { ...unknown, isWithinUndoTime: true }))).toBe('wait');
    expect(decide(buildReplay({}, { ...unknown, isWithinUndoTime: false }))).toBe('check-reuse');
    expect(decide(buildReplay(used, { ...unknown, isWithinUndoTime: true }))).toBe('check-reuse');
    expect(decide({ token: buildToken({ ...used, ...revoked }), isWithinUndoTime: true })).toBe('reject: revoked');
  });
});

describe('endsChainOnReuse', () => {
  const unused = buildToken({ issuedAt: new Date(NOW.getTime() - 9_999) });
  const old = buildToken({ issuedAt: new Date(NOW.getTime() - 10_000) });

  it.each<[clientType: ClientType, setting: 'reject' | 'revoke-grant', successor: StoredRefreshToken, ends: boolean]>([
    ['confidential', 'reject', old, false],
    ['confidential', 'reject', buildToken(used), false],
    ['confidential', 'revoke-grant', unused, false],
    ['confidential', 'revoke-grant', old, true],
    ['confidential', 'revoke-grant', buildToken(used), true],
    ['public', 'reject', unused, false],
    ['public', 'reject', old, true],
    ['public', 'reject', buildToken(used), true],
  ])('of a %s client with the setting %s', (clientType, setting, successor, ends) => {
    expect(endsChainOnReuse({ clientType }, setting, successor, NOW)).toBe(ends);
  });

  it('ends the chain if the successor is unknown', () => {
    expect(endsChainOnReuse({ clientType: 'public' }, 'reject', undefined, NOW)).toBe(true);
  });
});
