import { beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { EntityManager } from 'typeorm';
import { App } from '../../src/identity/apps/app.entity.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { ConsentsService } from '../../src/identity/oauth/consents/consents.service.js';
import { RefreshToken } from '../../src/identity/oauth/refresh-token.entity.js';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { ReservedConnections } from '../../src/platform/database/reserved-connections.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { createAuthorizationRequest, grantConsent } from '../support/authorization-flow.js';
import { isPostgres } from '../support/database.js';
import { ALL_SCOPES, registerApp } from '../support/factories.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import type { TestResponse } from '../support/test-server.js';

const SCOPES: Scope[] = ['profile', 'markers:read', 'edits:write'];
const IDEMPOTENCY_KEY = { 'Idempotency-Key': 'c5b1d2b0-6a1c-4a57-8d39-4c7f2b0c3f11' };

describe('Refresh after the person or the app owner withdrew scopes', () => {
  const fixture = OAuthFixture.use({ environment: { REFRESH_TOKEN_REUSE: 'revoke-grant' } });
  let token: string;

  beforeEach(async () => {
    token = (await fixture.authorizeApp({ scope: SCOPES.join(' ') })).body.refresh_token as string;
  });

  const refresh = (refreshToken = token, fields = {}, headers = {}): Promise<TestResponse> =>
    fixture.refreshTokens(refreshToken, fields, headers);
  const deny = async (scope: string): Promise<void> => {
    const page = await fixture.authorize({ scope, prompt: 'consent' });
    await fixture.browser.submitForm(page, '/consent', { decision: 'deny' });
  };
  const allow = async (requested: string, selected: string[]): Promise<void> => {
    const { path } = createAuthorizationRequest(fixture.app, { scope: requested, prompt: 'consent' });
    await grantConsent(fixture.browser, path, selected);
  };
  const register = async (scopes: Scope[]): Promise<void> => {
    const { id, name, redirectUris } = fixture.app.app;
    await fixture.server.get(AppsService).updateSettings(id, { name, redirectUris, scopes });
  };
  const expectScopes = ({ status, body }: TestResponse, scopes: string[]): string => {
    expect({ status, scope: body.scope }).toEqual({ status: 200, scope: scopes.join(' ') });
    expect(decodeJwt(body.access_token as string).scope).toBe(scopes.join(' '));
    return body.refresh_token as string;
  };
  const expectError = ({ status, body }: TestResponse, error: string, description: RegExp): void => {
    expect({ status, error: body.error }).toEqual({ status: 400, error });
    expect(body.error_description).toMatch(description);
  };
  const countTokens = (): Promise<number> =>
    fixture.server.entityManager.countBy(RefreshToken, { authorization: { accountId: fixture.account.id } });

  it('rejects the refresh with invalid_grant after Deny for all scopes, and spends nothing', async () => {
    await deny(SCOPES.join(' '));
    expectError(await refresh(), 'invalid_grant', /No scope of this refresh_token is allowed now/);
    expectError(await refresh(token, { scope: 'profile' }), 'invalid_grant', /No scope/);
    expect(await countTokens()).toBe(1);
    await allow(SCOPES.join(' '), SCOPES);
    expectScopes(await refresh(), SCOPES);
  });

  it('rejects a refresh that names a withdrawn scope with invalid_scope, and spends nothing', async () => {
    await deny('edits:write');
    for (const scope of ['edits:write', 'profile edits:write'])
      expectError(await refresh(token, { scope }), 'invalid_scope', /^The scope edits:write is not allowed now/);
    expectError(
      await refresh(token, { scope: 'edits:review' }),
      'invalid_scope',
      /^The scope edits:review was not granted/,
    );
    expect(await countTokens()).toBe(1);
    expectScopes(await refresh(token, { scope: 'profile' }), ['profile']);
  });

  it('rejects the refresh when the app is registered for none of the scopes, until it is again', async () => {
    await register(['artists:read']);
    expectError(await refresh(), 'invalid_grant', /the app is no longer registered for them/);
    await register(ALL_SCOPES);
    expectScopes(await refresh(), SCOPES);
  });

  it('exchanges a code only for the scopes for which the app is still registered', async () => {
    const first = await fixture.obtainCode();
    const second = await fixture.obtainCode({ scope: 'edits:write', prompt: 'consent' });
    await register(['openid', 'profile']);
    const { status, body } = await fixture.exchangeCode(first.code, first.codeVerifier);
    expect({ status, scope: body.scope }).toEqual({ status: 200, scope: 'openid profile' });
    const rejected = await fixture.exchangeCode(second.code, second.codeVerifier);
    expectError(rejected, 'invalid_grant', /the app is no longer registered for them/);
    await register(ALL_SCOPES);
    expect((await fixture.exchangeCode(second.code, second.codeVerifier)).body.scope).toBe('edits:write');
  });

  it('narrows a chain of the operator by the registration only', async () => {
    const { refresh_token } = await fixture.issueTokens(SCOPES);
    await deny(SCOPES.join(' '));
    const next = expectScopes(await refresh(refresh_token), SCOPES);
    await register(['profile', 'artists:read']);
    expectScopes(await refresh(next), ['profile']);
  });

  it('keeps all scopes after Deny by another account, or for another app', async () => {
    const [path, otherPath] = [fixture.app, await registerApp(fixture.server)].map(
      (app) => createAuthorizationRequest(app, { scope: SCOPES.join(' ') }).path,
    );
    for (const [browser, denied] of [
      [await fixture.openOtherBrowser(), path!],
      [fixture.browser, otherPath!],
    ] as const)
      await browser.submitForm(await browser.get(denied), '/consent', { decision: 'deny' });
    expectScopes(await refresh(), SCOPES);
  });

  it('narrows each chain of the app at its next refresh after Deny for some scopes', async () => {
    const second = (await fixture.authorizeApp({ scope: 'markers:read edits:write', prompt: 'consent' })).body;
    await deny('edits:write artists:read');
    const next = expectScopes(await refresh(), ['profile', 'markers:read']);
    expectScopes(await refresh(next), ['profile', 'markers:read']);
    expectScopes(await refresh(second.refresh_token as string), ['markers:read']);
  });

  it('narrows a chain after a scope was left out at a repeated authorization', async () => {
    await allow(SCOPES.join(' '), ['profile']);
    expectScopes(await refresh(), ['profile']);
  });

  it('keeps the scopes that a repeated authorization does not request', async () => {
    await allow('openid artists:read', ['artists:read']);
    expectScopes(await refresh(), SCOPES);
  });

  it('withdraws openid by Deny alone, since the consent page does not let it be left out', async () => {
    const { refresh_token } = (await fixture.authorizeApp({ scope: 'openid profile' })).body;
    await allow('openid email', ['email']);
    const next = expectScopes(await refresh(refresh_token as string), ['openid', 'profile']);
    await deny('openid email');
    expectScopes(await refresh(next), ['profile']);
  });

  it('returns a scope that is allowed again, and never more than was granted', async () => {
    await deny('edits:write');
    const next = expectScopes(await refresh(), ['profile', 'markers:read']);
    await allow('edits:write artists:read', ['edits:write', 'artists:read']);
    expectScopes(await refresh(next), SCOPES);
  });

  it('narrows a chain by the registration of the app', async () => {
    await register(['profile', 'artists:read']);
    const next = expectScopes(await refresh(), ['profile']);
    await register(ALL_SCOPES);
    expectScopes(await refresh(next), SCOPES);
  });

  describe('with an Idempotency-Key', () => {
    it('rejects a replay when no scope is left, and records no reuse', async () => {
      const { body } = await refresh(token, {}, IDEMPOTENCY_KEY);
      await deny(SCOPES.join(' '));
      expectError(await refresh(token, {}, IDEMPOTENCY_KEY), 'invalid_grant', /No scope/);
      await allow(SCOPES.join(' '), SCOPES);
      expect((await refresh(token, {}, IDEMPOTENCY_KEY)).body).toEqual(body);
      const reuses = { accountId: fixture.account.id, type: 'refresh_token.reused' } as const;
      expect(await fixture.server.entityManager.countBy(AuditEvent, reuses)).toBe(0);
    });

    it('rejects a replay that names a withdrawn scope with invalid_scope', async () => {
      const narrowed = { scope: 'profile edits:write' };
      await refresh(token, narrowed, IDEMPOTENCY_KEY);
      await deny('edits:write');
      expectError(
        await refresh(token, narrowed, IDEMPOTENCY_KEY),
        'invalid_scope',
        /^The scope edits:write is not allowed now/,
      );
    });

    it('replays the refresh token with a narrower access token after a scope was withdrawn', async () => {
      const { body } = await refresh(token, {}, IDEMPOTENCY_KEY);
      await deny('edits:write');
      const replayed = await refresh(token, {}, IDEMPOTENCY_KEY);
      expect(expectScopes(replayed, ['profile', 'markers:read'])).toBe(body.refresh_token);
      expectScopes(await refresh(body.refresh_token as string), ['profile', 'markers:read']);
    });
  });

  describe('race with a withdrawal', () => {
    /** Withdraws scopes in a transaction that the rotation of a refresh waits for. */
    const withdrawDuring = (
      startRefresh: () => Promise<TestResponse>,
      withdraw: (tx: EntityManager) => Promise<unknown>,
    ): Promise<TestResponse> => {
      const transactions = fixture.server.get(TransactionService);
      const reserved = fixture.server.get(ReservedConnections);
      return transactions
        .run(async (tx) => {
          if (isPostgres) await tx.query('LOCK TABLE refresh_tokens IN EXCLUSIVE MODE');
          const response = startRefresh();
          while (transactions.pendingCount + reserved.pendingCount < 2) await new Promise(setImmediate);
          await withdraw(tx);
          return { response };
        })
        .then(({ response }) => response);
    };
    const recordDecision =
      (requested: Scope[], granted: Scope[]) =>
      (tx: EntityManager): Promise<unknown> => {
        const key = { accountId: fixture.account.id, appId: fixture.app.app.id };
        return fixture.server.get(ConsentsService).recordDecision(tx, key, requested, granted);
      };

    it('rejects the refresh when the withdrawal commits before the rotation, and spends nothing', async () => {
      const response = await withdrawDuring(() => refresh(), recordDecision(SCOPES, []));
      expectError(response, 'invalid_grant', /No scope/);
      expect(await countTokens()).toBe(1);
    });

    it('rejects a refresh that names the scope that is withdrawn meanwhile, and spends nothing', async () => {
      const response = await withdrawDuring(
        () => refresh(token, { scope: 'edits:write' }),
        recordDecision(['edits:write'], []),
      );
      expectError(response, 'invalid_scope', /^The scope edits:write is not allowed now/);
      expect(await countTokens()).toBe(1);
    });

    it.each([{}, IDEMPOTENCY_KEY])('narrows the access token, and what a replay returns, with %j', async (headers) => {
      const response = await withdrawDuring(() => refresh(token, {}, headers), recordDecision(['edits:write'], []));
      expectScopes(response, ['profile', 'markers:read']);
      expect(await countTokens()).toBe(2);
      if (headers !== IDEMPOTENCY_KEY) return;
      expect((await refresh(token, {}, headers)).body).toEqual(response.body);
    });

    it('narrows the access token when the registration changes meanwhile', async () => {
      const response = await withdrawDuring(
        () => refresh(),
        (tx) => tx.update(App, { id: fixture.app.app.id }, { scopes: ['profile'] }),
      );
      expectScopes(response, ['profile']);
    });

    it('gives each of many chains all scopes or the narrower ones, and the narrower ones afterwards', async () => {
      const chains: string[] = [token];
      for (let count = 0; count < 9; count++) {
        const { body } = await fixture.authorizeApp({ scope: SCOPES.join(' '), prompt: 'consent' });
        chains.push(body.refresh_token as string);
      }
      const refreshes = Promise.all(chains.map((chain) => refresh(chain)));
      await deny('edits:write');
      const responses = await refreshes;
      for (const { status, body } of responses) {
        expect(status).toBe(200);
        expect([SCOPES.join(' '), 'profile markers:read']).toContain(body.scope);
      }
      for (const { body } of responses)
        expectScopes(await refresh(body.refresh_token as string), ['profile', 'markers:read']);
    });
  });
});
