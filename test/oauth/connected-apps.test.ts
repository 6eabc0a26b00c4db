import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { AuditEvent } from '../../src/audit/audit-event.entity.js';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { SCOPES } from '../../src/scopes/catalogue.js';
import { allow, ask, connect, exchange, replyOf, signedIn } from '../support/authorize.js';
import { newAccount, newApp, newTokens, type TestApp } from '../support/factories.js';
import { type Answer, Service } from '../support/service.js';
import { backToNow, DAY, later, SECOND } from '../support/time.js';
import type { Seen, Visitor } from '../support/visitor.js';

const PATH = '/account/apps';

describe('Connected apps', () => {
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
    app = await newApp(service, { description: 'Walks from mural to mural.' });
  });
  afterEach(backToNow);

  const refresh = (refresh_token: string): Promise<Answer> =>
    service.call('POST', '/api/oauth/token', {
      body: { grant_type: 'refresh_token', refresh_token, ...app.credentials },
    });
  const page = (): Promise<Seen> => visitor.get(PATH);
  const removables = ({ html }: Seen): string[] =>
    [...html.matchAll(/name="what" value="([^"]*)"/g)].map(([, what]) => what!);
  const times = ({ html }: Seen): string[] => [...html.matchAll(/<time datetime="([^"]*)"/g)].map(([, at]) => at!);
  const isAsked = async (): Promise<boolean> => (await visitor.get(ask(app).path)).status === 200;

  it('says so where there is none', async () => {
    const { html } = await page();
    expect(html).toContain('No app may act for you.');
    expect(html).not.toContain('Remove access');
  });

  it('tells what each app may do, since when, when it was last used, and from which consent', async () => {
    const consentedAt = Date.now();
    await allow(visitor, ask(app, { scope: 'openid markers:read' }).path);
    later(600 * SECOND);
    const { path, verifier } = ask(app, { scope: 'openid' });
    const { body } = await exchange(service, app, replyOf(await visitor.get(path)).code, verifier);
    later(3600 * SECOND);
    await refresh(body.refresh_token as string);
    const seen = await page();
    expect(seen.html).toContain(app.app.name);
    expect(seen.html).toContain('Walks from mural to mural.');
    expect(seen.html).toContain(`<li class="sentence">${SCOPES.openid}</li>`);
    expect(seen.html).not.toContain(SCOPES['markers:read']);
    expect(seen.html).toContain('within 60 minutes');
    const [allowed, since, lastUsed, consent] = times(seen).map((at) => Date.parse(at));
    for (const at of [allowed, consent]) expect(Math.abs(at! - consentedAt)).toBeLessThan(60_000);
    expect(Math.abs(since! - consentedAt - 600_000)).toBeLessThan(60_000);
    expect(Math.abs(lastUsed! - since! - 3600_000)).toBeLessThan(60_000);
  });

  it('"Remove access" ends the refresh tokens at once, and the app must ask again', async () => {
    const { body } = await connect(service, app, visitor);
    const answer = await visitor.submit(await page(), PATH);
    expect(answer.status).toBe(303);
    expect(answer.location).toMatch(/^\/account\/apps\?removed=/);
    expect((await visitor.get(answer.location!)).html).toContain(`The access of ${app.app.name} was removed.`);
    const refused = await refresh(body.refresh_token as string);
    expect({ status: refused.status, error: refused.body.error }).toEqual({ status: 400, error: 'invalid_grant' });
    expect(refused.body.error_description).toMatch(/revoked/);
    expect(await isAsked()).toBe(true);
    expect(removables(await page())).toEqual([]);
    const events = await service.database.findBy(AuditEvent, { accountId: person.id });
    expect(events.map(({ type }) => type).sort()).toEqual([
      'authorization.revoked',
      'consent.given',
      'consent.withdrawn',
    ]);
  });

  it('tells of no removal that did not happen', async () => {
    await connect(service, app, visitor);
    const removed = (await visitor.submit(await page(), PATH)).location!;
    const stranger = await signedIn(service, await newAccount(service));
    for (const path of [removed, `${PATH}?removed=${app.app.id}`, `${PATH}?removed=x`])
      expect((await stranger.get(path)).html).not.toContain('was removed');
  });

  it('ends what an app holds also where the app is named, and not one authorization of it', async () => {
    const { body } = await connect(service, app, visitor);
    await visitor.post(PATH, { what: app.app.id });
    expect((await refresh(body.refresh_token as string)).body.error).toBe('invalid_grant');
    expect(await isAsked()).toBe(true);
  });

  it('leaves an access token that is out, which runs out by itself', async () => {
    const { body } = await connect(service, app, visitor);
    await visitor.submit(await page(), PATH);
    const { status } = await service.call('GET', '/api/markers', { token: body.access_token as string });
    expect(status).toBe(200);
  });

  it('lists each authorization of the same app by itself, and removing one leaves the other', async () => {
    const first = await connect(service, app, visitor);
    const second = await connect(service, app, visitor, { prompt: 'consent' });
    const [, older] = removables(await page());
    expect(removables(await page())).toHaveLength(2);
    await visitor.post(PATH, { what: older! });
    expect((await refresh(first.body.refresh_token as string)).body.error).toBe('invalid_grant');
    expect((await refresh(second.body.refresh_token as string)).status).toBe(200);
    expect(await isAsked()).toBe(false);
    expect(removables(await page())).toHaveLength(1);
  });

  it('lists an app that holds nothing but may come back without asking, until that is taken back', async () => {
    await allow(visitor, ask(app).path);
    expect(removables(await page())).toEqual([app.app.id]);
    expect(await isAsked()).toBe(false);
    await visitor.submit(await page(), PATH);
    expect(await isAsked()).toBe(true);
  });

  it('lists no authorization that was revoked or has run out', async () => {
    const { body } = await connect(service, app, visitor);
    await service.call('POST', '/api/oauth/revoke', { body: { token: body.refresh_token, ...app.credentials } });
    expect(removables(await page())).toEqual([app.app.id]);
    const other = await newApp(service);
    await newTokens(service, { app: other.app, account: person });
    expect(removables(await page())).toHaveLength(2);
    later(31 * DAY);
    await visitor.signIn(person);
    expect(removables(await page())).toEqual([app.app.id]);
  });

  it('lists what the operator gave, and lets the person remove it', async () => {
    const tokens = await newTokens(service, { app: app.app, account: person });
    expect((await page()).html).toContain('Those who run this map gave it access');
    await visitor.submit(await page(), PATH);
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('shows and removes nothing of another person', async () => {
    const { body } = await connect(service, app, visitor);
    const [theirs] = removables(await page());
    const stranger = await signedIn(service, await newAccount(service));
    expect((await stranger.get(PATH)).html).not.toContain(app.app.name);
    for (const what of [theirs!, app.app.id, 'aut_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'nonsense', '']) {
      expect((await stranger.post(PATH, { what })).location).toBe(PATH);
    }
    expect((await refresh(body.refresh_token as string)).status).toBe(200);
    expect(await isAsked()).toBe(false);
  });

  it('tells a blocked person who is still signed in, who can still take back', async () => {
    await connect(service, app, visitor);
    await service.get(AccountsService).block(person.username, 'Posted advertisements.');
    expect((await page()).html).toContain('Posted advertisements.');
    await visitor.submit(await page(), PATH);
    expect(removables(await page())).toEqual([]);
  });
});
