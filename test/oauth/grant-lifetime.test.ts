import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RefreshTokenService } from '../../src/identity/oauth/refresh-token.service.js';
import { Authorization } from '../../src/identity/oauth/authorization.entity.js';
import { RefreshToken } from '../../src/identity/oauth/refresh-token.entity.js';
import { TokenIssuanceService } from '../../src/identity/oauth/token-issuance.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { computeDigest, generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { RetentionService } from '../../src/platform/scheduling/retention.service.js';
import { advanceClock, DAY_MS, restoreClock, SECOND_MS, setClock } from '../support/fake-clock.js';
import { OAuthFixture } from '../support/oauth-fixture.js';
import type { TestResponse } from '../support/test-server.js';

const GRANT_LIFETIME_MS = 40 * DAY_MS;
const IDEMPOTENCY_KEY = { 'Idempotency-Key': '0d6f7c1c-3d5b-4b43-9a0c-64f6f5f1c9a7' };

const expectEnded = ({ status, body }: TestResponse): void => {
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_grant' });
  expect(body.error_description).toMatch(/an authorization at its maximum age\. The person must authorize again/);
};

describe('GRANT_LIFETIME', () => {
  const fixture = OAuthFixture.use({
    environment: { GRANT_LIFETIME: String(GRANT_LIFETIME_MS / SECOND_MS), REFRESH_TOKEN_REUSE: 'revoke-grant' },
  });
  afterEach(restoreClock);

  const refresh = async (token: string): Promise<string> => {
    const { status, body } = await fixture.refreshTokens(token);
    expect(status).toBe(200);
    return body.refresh_token as string;
  };
  const readAuthorization = (): Promise<Authorization> =>
    fixture.server.entityManager.findOneByOrFail(Authorization, { accountId: fixture.account.id });
  const readTokens = (): Promise<RefreshToken[]> =>
    fixture.server.entityManager.findBy(RefreshToken, { authorization: { accountId: fixture.account.id } });

  describe.each([
    ['a chain of a person', async () => (await fixture.authorizeApp()).body.refresh_token as string],
    [
      'a chain of the command tokens issue',
      async () => {
        const { app, account, server } = fixture;
        const tokens = server.get(TokenIssuanceService).issueByOperator(app.app.id, account.username, ['markers:read']);
        return (await tokens).refresh_token;
      },
    ],
  ])('ends %s', (_, connect) => {
    let token: string;
    let endMs: number;

    beforeEach(async () => {
      token = await connect();
      endMs = (await readAuthorization()).createdAt.getTime() + GRANT_LIFETIME_MS;
    });

    it('rejects each token of the chain exactly at its end, and records no reuse', async () => {
      advanceClock(25 * DAY_MS);
      const next = await refresh(token);
      setClock(endMs);
      for (const ended of [next, token]) expectEnded(await fixture.refreshTokens(ended));
      const events = await fixture.server.entityManager.findBy(AuditEvent, { accountId: fixture.account.id });
      expect(events.map(({ type }) => type)).not.toContain('refresh_token.reused');
    });

    it('accepts a refresh before the end, with a token that expires at the end', async () => {
      advanceClock(25 * DAY_MS);
      const next = await refresh(token);
      setClock(endMs - 1);
      const last = await refresh(next);
      setClock(endMs);
      expectEnded(await fixture.refreshTokens(last));
      const expiries = (await readTokens()).map(({ expiresAt }) => expiresAt.getTime());
      expect(expiries.sort()).toEqual([expect.any(Number), endMs, endMs]);
      expect(expiries[0]).toBeLessThan(endMs);
    });

    it('deletes the chain 30 days after its end', async () => {
      advanceClock(25 * DAY_MS);
      await refresh(token);
      setClock(endMs + 30 * DAY_MS);
      await fixture.server.get(RetentionService).deleteExpired(Date.now());
      expect(await readTokens()).not.toEqual([]);
      advanceClock(1);
      await fixture.server.get(RetentionService).deleteExpired(Date.now());
      expect(await readTokens()).toEqual([]);
    });
  });

  it('rejects a replay with an Idempotency-Key after the end', async () => {
    const { refresh_token } = await fixture.issueTokens();
    const endMs = (await readAuthorization()).createdAt.getTime() + GRANT_LIFETIME_MS;
    setClock(endMs - 25 * DAY_MS);
    const next = await refresh(refresh_token);
    setClock(endMs - SECOND_MS);
    expect((await fixture.refreshTokens(next, {}, IDEMPOTENCY_KEY)).status).toBe(200);
    setClock(endMs);
    expectEnded(await fixture.refreshTokens(next, {}, IDEMPOTENCY_KEY));
  });

  it('does not list an ended chain as connected', async () => {
    const token = await fixture.authorizeApp().then(({ body }) => body.refresh_token as string);
    advanceClock(25 * DAY_MS);
    await refresh(token);
    await fixture.browser.signIn(fixture.account);
    const path = `/account/apps/${fixture.app.app.id}`;
    expect((await fixture.browser.get(path)).html).toContain('Connected since');
    advanceClock(15 * DAY_MS);
    await fixture.browser.signIn(fixture.account);
    const { html } = await fixture.browser.get(path);
    expect(html).not.toContain('Connected since');
    expect(html).toContain('This app is not connected now.');
  });

  describe('that was set after the tokens were issued', () => {
    let token: string;

    beforeEach(async () => {
      token = (await fixture.issueTokens()).refresh_token;
      const { id } = await readAuthorization();
      const createdAt = new Date(Date.now() - GRANT_LIFETIME_MS);
      await fixture.server.get(TransactionService).run((tx) => tx.update(Authorization, { id }, { createdAt }));
    });

    it('ends the chain at once, and does not list it', async () => {
      expectEnded(await fixture.refreshTokens(token));
      expect((await fixture.browser.get('/account/apps')).html).toContain('No app is connected to your account.');
    });

    it('is revoked when the person removes the access, so that a longer lifetime cannot revive it', async () => {
      const page = await fixture.browser.get('/account/apps');
      await fixture.browser.post('/account/apps', { what: fixture.app.app.id });
      expect(page.status).toBe(200);
      expect((await readAuthorization()).revokedAt).not.toBeNull();
    });

    it('lets no rotation succeed', async () => {
      const tokens = fixture.server.get(RefreshTokenService);
      const successorDigest = computeDigest(generateSecret('sam_refresh'));
      const stored = (await tokens.find(token))!;
      expect((await tokens.rotate({ token: stored, successorDigest })).result).toBe(false);
      expect(await readTokens()).toHaveLength(1);
    });
  });
});

describe('GRANT_LIFETIME shorter than REFRESH_TOKEN_LIFETIME', () => {
  const fixture = OAuthFixture.use({ environment: { GRANT_LIFETIME: '1' } });
  afterEach(restoreClock);

  it('limits the first refresh token', async () => {
    advanceClock(0); // stops the clock
    const { refresh_token } = await fixture.issueTokens();
    advanceClock(SECOND_MS);
    expectEnded(await fixture.refreshTokens(refresh_token));
    const [token] = await fixture.server.entityManager.find(RefreshToken);
    expect(token!.expiresAt.getTime()).toBe(Date.now());
  });
});

describe('Without GRANT_LIFETIME', () => {
  const fixture = OAuthFixture.use();
  afterEach(restoreClock);

  it('lets a chain live as long as the app refreshes', async () => {
    let { refresh_token } = await fixture.issueTokens();
    for (let month = 0; month < 14; month++) {
      advanceClock(29 * DAY_MS);
      const { status, body } = await fixture.refreshTokens(refresh_token);
      expect(status).toBe(200);
      refresh_token = body.refresh_token as string;
    }
  });
});
