import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { AuditEvent } from '../../src/audit/audit-event.entity.js';
import { Audit } from '../../src/audit/audit.service.js';
import { Transactions } from '../../src/database/transactions.js';
import { connect, signedIn } from '../support/authorize.js';
import { newDatabase } from '../support/database.js';
import { newAccount, newApp, newTokens, type TestApp } from '../support/factories.js';
import { Service } from '../support/service.js';
import { type Seen, Visitor } from '../support/visitor.js';

const PATH = '/account/activity';

describe('What happened to an account', () => {
  let service: Service;
  let person: Account;
  let visitor: Visitor;
  let app: TestApp;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    person = await newAccount(service);
    visitor = await signedIn(service, person);
    app = await newApp(service);
  });

  const sentences = ({ html }: Seen): string[] =>
    [...html.matchAll(/<li><p>(.*?)<\/p>/g)].map(([, sentence]) => sentence!);

  it('is told to the person alone, who signs in first', async () => {
    const stranger = await new Visitor(service).get(PATH);
    expect(stranger).toMatchObject({ status: 303, location: '/sign-in?return_to=%2Faccount%2Factivity' });
    await connect(service, app, visitor);
    const other = await signedIn(service, await newAccount(service));
    expect((await other.get(PATH)).html).toContain('Nothing has happened yet');
    expect(sentences(await other.get(PATH))).toEqual([]);
  });

  it('is told in sentences, the newest first, with the address that it came from', async () => {
    const { body } = await connect(service, app, visitor);
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token, ...app.credentials };
    for (const status of [200, 400]) {
      expect((await service.call('POST', '/api/oauth/token', { body: refresh })).status).toBe(status);
    }
    await service.get(AccountsService).block(person.username, 'Spam & <b>more</b>');
    await service.get(AccountsService).unblock(person.username);
    await visitor.submit(await visitor.get('/account/apps'), '/account/apps');
    const seen = await visitor.get(PATH);
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
    const database = await newDatabase();
    const trusting = await Service.start({ DATABASE_URL: database.url, TRUST_PROXY: 'true' });
    const { app: asked, credentials } = await newApp(trusting);
    const { refresh_token } = await newTokens(trusting, { app: asked, account: await newAccount(trusting) });
    const refresh = { grant_type: 'refresh_token', refresh_token, ...credentials };
    const claimed = ['203.0.113.7', 'x'.repeat(100), `fe80::1%${'x'.repeat(100)}`];
    await trusting.call('POST', '/api/oauth/token', { body: refresh });
    for (const address of claimed) {
      const headers = { 'X-Forwarded-For': address };
      expect((await trusting.call('POST', '/api/oauth/token', { body: refresh, headers })).status).toBe(400);
    }
    const kept = await trusting.database.find(AuditEvent, { order: { at: 'ASC', id: 'ASC' } });
    const reused = kept.filter(({ type }) => type === 'refresh_token.reused');
    expect(reused.map(({ fromAddress }) => fromAddress)).toEqual(['203.0.113.7', null, 'fe80::1']);
    await trusting.stop();
    await database.drop();
  });

  it('goes on from page to page, without an end that repeats', async () => {
    const audit = service.get(Audit);
    const record = { type: 'refresh_token.reused', accountId: person.id, appId: app.app.id } as const;
    for (let count = 0; count < 120; count++) await service.get(Transactions).run((tx) => audit.record(tx, record));
    const counts: number[] = [];
    for (let path: string | undefined = PATH; path;) {
      const seen: Seen = await visitor.get(path);
      counts.push(sentences(seen).length);
      path = /<a rel="next" href="([^"]*)"/.exec(seen.html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(counts).toEqual([50, 50, 20]);
    expect((await visitor.get(`${PATH}?cursor=nonsense`)).status).toBe(400);
  });

  it('cannot be changed or deleted, not even in the database', async () => {
    await connect(service, app, visitor);
    const mine = { accountId: person.id };
    const transactions = service.get(Transactions);
    await expect(transactions.run((tx) => tx.update(AuditEvent, mine, { detail: 'x' }))).rejects.toThrow(
      /never changed/,
    );
    await expect(transactions.run((tx) => tx.delete(AuditEvent, mine))).rejects.toThrow(/never changed/);
  });
});
