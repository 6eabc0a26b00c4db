import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { AuditService } from '../../src/platform/audit/audit.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { authorizeApp, openSignedInBrowser } from '../support/authorization-flow.js';
import { createDatabase } from '../support/database.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';
import { type PageResponse, BrowserClient } from '../support/browser-client.js';

const ACTIVITY_PATH = '/account/activity';

describe('What happened to an account', () => {
  let server: TestServer;
  let person: Account;
  let browser: BrowserClient;
  let app: TestApp;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    person = await createAccount(server);
    browser = await openSignedInBrowser(server, person);
    app = await registerApp(server);
  });

  const sentences = ({ html }: PageResponse): string[] =>
    [...html.matchAll(/<li><p>(.*?)<\/p>/g)].map(([, sentence]) => sentence!);

  it('is told to the person alone, who signs in first', async () => {
    const stranger = await new BrowserClient(server).get(ACTIVITY_PATH);
    expect(stranger).toMatchObject({ status: 303, location: '/sign-in?return_to=%2Faccount%2Factivity' });
    await authorizeApp(server, app, browser);
    const other = await openSignedInBrowser(server, await createAccount(server));
    expect((await other.get(ACTIVITY_PATH)).html).toContain('Nothing has happened yet');
    expect(sentences(await other.get(ACTIVITY_PATH))).toEqual([]);
  });

  it('is told in sentences, the newest first, with the address that it came from', async () => {
    const { body } = await authorizeApp(server, app, browser);
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token, ...app.credentials };
    for (const status of [200, 400]) {
      expect((await server.request('POST', '/api/oauth/token', { body: refresh })).status).toBe(status);
    }
    await server.get(AccountsService).block(person.username, 'Spam & <b>more</b>');
    await server.get(AccountsService).unblock(person.username);
    await browser.submitForm(await browser.get('/account/apps'), '/account/apps');
    const seen = await browser.get(ACTIVITY_PATH);
    expect(sentences(seen)).toEqual([
      expect.stringMatching(/^(An access of .* ended|You took back what you had allowed)/),
      expect.stringMatching(/^(An access of .* ended|You took back what you had allowed)/),
      'Your account is no longer blocked.',
      'Your account was blocked: Spam &amp; &lt;b>more&lt;/b>',
      expect.stringContaining(`${app.app.name} presented a token that it had already used.`),
      `You allowed ${app.app.name} to act for you.`,
    ]);
    expect([...seen.html.matchAll(/from (::ffff:)?127\.0\.0\.1/g)]).toHaveLength(4);
  });

  it('keeps no address that is none, and loses no happening for it', async () => {
    const database = await createDatabase();
    const trusting = await TestServer.start({ DATABASE_URL: database.url, TRUST_PROXY: 'true' });
    const { app: asked, credentials } = await registerApp(trusting);
    const { refresh_token } = await issueTokens(trusting, { app: asked, account: await createAccount(trusting) });
    const refresh = { grant_type: 'refresh_token', refresh_token, ...credentials };
    const claimed = ['203.0.113.7', 'x'.repeat(100), `fe80::1%${'x'.repeat(100)}`];
    await trusting.request('POST', '/api/oauth/token', { body: refresh });
    for (const address of claimed) {
      const headers = { 'X-Forwarded-For': address };
      expect((await trusting.request('POST', '/api/oauth/token', { body: refresh, headers })).status).toBe(400);
    }
    const kept = await trusting.entityManager.find(AuditEvent, { order: { occurredAt: 'ASC', id: 'ASC' } });
    const reused = kept.filter(({ type }) => type === 'refresh_token.reused');
    expect(reused.map(({ ipAddress }) => ipAddress)).toEqual(['203.0.113.7', null, 'fe80::1']);
    await trusting.stop();
    await database.drop();
  });

  it('goes on from page to page, without an end that repeats', async () => {
    const audit = server.get(AuditService);
    const record = { type: 'refresh_token.reused', accountId: person.id, appId: app.app.id } as const;
    for (let count = 0; count < 120; count++)
      await server.get(TransactionService).run((tx) => audit.record(tx, record));
    const counts: number[] = [];
    for (let path: string | undefined = ACTIVITY_PATH; path;) {
      const seen: PageResponse = await browser.get(path);
      counts.push(sentences(seen).length);
      path = /<a rel="next" href="([^"]*)"/.exec(seen.html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(counts).toEqual([50, 50, 20]);
    expect((await browser.get(`${ACTIVITY_PATH}?cursor=nonsense`)).status).toBe(400);
  });

  it('cannot be changed or deleted, not even in the database', async () => {
    await authorizeApp(server, app, browser);
    const mine = { accountId: person.id };
    const transactions = server.get(TransactionService);
    await expect(transactions.run((tx) => tx.update(AuditEvent, mine, { detail: 'x' }))).rejects.toThrow(
      /never changed/,
    );
    await expect(transactions.run((tx) => tx.delete(AuditEvent, mine))).rejects.toThrow(/never changed/);
  });
});
