import { describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AppsService } from '../../src/identity/apps/apps.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { AuditService, runAsOperator } from '../../src/platform/audit/audit.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { type PageResponse, BrowserClient } from '../support/browser-client.js';
import { registerApp } from '../support/factories.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

const ACTIVITY_PATH = '/account/activity';

describe('Account activity page', () => {
  const fixture = OAuthFixture.use({ environment: { TRUST_PROXY: 'true' } });

  const parseSentences = ({ html }: PageResponse): string[] =>
    [...html.matchAll(/<li><p>(.*?)<\/p>/g)].map(([, sentence]) => sentence!.replaceAll(/<\/?a\b[^>]*>/g, ''));

  it("requires a session, and shows the account's own events only", async () => {
    const stranger = await new BrowserClient(fixture.server).get(ACTIVITY_PATH);
    expect(stranger).toMatchObject({ status: 303, location: '/sign-in?return_to=%2Faccount%2Factivity' });
    await fixture.authorizeApp();
    const other = await fixture.openOtherBrowser();
    expect(parseSentences(await other.get(ACTIVITY_PATH))).toEqual(['You signed in with an unknown browser.']);
  });

  it('shows one sentence per event with the IP address, the newest first', async () => {
    const { body } = await fixture.authorizeApp();
    for (const status of [200, 400])
      expect((await fixture.refreshTokens(body.refresh_token as string)).status).toBe(status);
    await fixture.server.get(AccountsService).block(fixture.account.username, 'Spam & <b>more</b>');
    await fixture.server.get(AccountsService).unblock(fixture.account.username);
    await fixture.browser.submitForm(await fixture.browser.get('/account/apps'), '/account/apps');
    const results = await fixture.browser.get(ACTIVITY_PATH);
    expect(parseSentences(results)).toEqual([
      expect.stringMatching(/^(A connection of .* ended|You removed the permissions of)/),
      expect.stringMatching(/^(A connection of .* ended|You removed the permissions of)/),
      'Your account is no longer blocked.',
      'Your account was blocked: Spam &amp; &lt;b>more&lt;/b>',
      expect.stringContaining(`${fixture.app.app.name} used a token a second time.`),
      `You allowed ${fixture.app.app.name} to act for you.`,
      'You signed in with an unknown browser.',
    ]);
    expect([...results.html.matchAll(/from (::ffff:)?127\.0\.0\.1/g)]).toHaveLength(5);
  });

  it('says which events the operator caused', async () => {
    const { app } = await registerApp(fixture.server, { ownerId: fixture.account.id });
    await fixture.server.get(AppsService).disable(app.id, fixture.account.id);
    await runAsOperator(() => fixture.server.get(AppsService).disable(app.id));
    const { html } = await fixture.browser.get(ACTIVITY_PATH);
    expect([...html.matchAll(/was disabled\.<\/p>/g)]).toHaveLength(2);
    expect([...html.matchAll(/ · by the people who run this map/g)]).toHaveLength(1);
  });

  it('records an event without its IP address when the address is malformed', async () => {
    const { refresh_token } = await fixture.issueTokens();
    await fixture.refreshTokens(refresh_token);
    for (const address of ['203.0.113.7', 'x'.repeat(100), `fe80::1%${'x'.repeat(100)}`]) {
      const headers = { 'X-Forwarded-For': address };
      expect((await fixture.refreshTokens(refresh_token, {}, headers)).status).toBe(400);
    }
    const reused = await fixture.server.entityManager.find(AuditEvent, {
      where: { accountId: fixture.account.id, type: 'refresh_token.reused' },
      order: { occurredAt: 'ASC', id: 'ASC' },
    });
    expect(reused.map(({ ipAddress }) => ipAddress)).toEqual(['203.0.113.7', null, 'fe80::1']);
  });

  it('shows equal events in a row once, with their number, and different ones apart', async () => {
    const audit = fixture.server.get(AuditService);
    const record = { type: 'refresh_token.reused', accountId: fixture.account.id, appId: fixture.app.app.id } as const;
    for (const detail of ['a', 'a', 'a', 'b', 'a'])
      await fixture.server.get(TransactionService).run((tx) => audit.record(tx, { ...record, detail }));
    const { html } = await fixture.browser.get(ACTIVITY_PATH);
    expect([...html.matchAll(/<li><p>/g)]).toHaveLength(4);
    expect([...html.matchAll(/ · 3 times/g)]).toHaveLength(1);
    expect(html).toMatch(/<h2 id="day-\d{4}-\d\d-\d\d"><time/);
  });

  it('shows every event once on consecutive pages', async () => {
    const audit = fixture.server.get(AuditService);
    const record = { type: 'refresh_token.reused', accountId: fixture.account.id, appId: fixture.app.app.id } as const;
    for (let count = 0; count < 120; count++)
      await fixture.server.get(TransactionService).run((tx) => audit.record(tx, { ...record, detail: `${count}` }));
    const counts: number[] = [];
    for (let path: string | undefined = ACTIVITY_PATH; path;) {
      const results: PageResponse = await fixture.browser.get(path);
      counts.push(parseSentences(results).length);
      path = /<a rel="next" href="([^"]*)"/.exec(results.html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(counts).toEqual([50, 50, 21]);
    expect((await fixture.browser.get(`${ACTIVITY_PATH}?cursor=nonsense`)).status).toBe(400);
  });

  it('cannot be changed or deleted in the database', async () => {
    await fixture.authorizeApp();
    const ownEvents = { accountId: fixture.account.id };
    const transactions = fixture.server.get(TransactionService);
    await expect(transactions.run((tx) => tx.update(AuditEvent, ownEvents, { detail: 'x' }))).rejects.toThrow(
      /never changed/,
    );
    await expect(transactions.run((tx) => tx.delete(AuditEvent, ownEvents))).rejects.toThrow(/never changed/);
  });
});
