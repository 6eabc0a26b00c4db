import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { AppsService } from '../../src/apps/apps.service.js';
import { AuthorizationCode } from '../../src/oauth/authorize/authorization-code.entity.js';
import { SCOPES } from '../../src/scopes/catalogue.js';
import { allow, ask, connect, exchange, REDIRECT_URI, replyOf, signedIn } from '../support/authorize.js';
import { ALL_SCOPES, newAccount, newApp, type TestApp } from '../support/factories.js';
import { Service } from '../support/service.js';
import { backToNow, later, SECOND } from '../support/time.js';
import { formOf, type Seen, type Visitor } from '../support/visitor.js';

describe('Consent', () => {
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
    const owner = await newAccount(service, { name: 'Olga Owner' });
    app = await newApp(service, {
      ownerId: owner.id,
      requiredScopes: ['markers:read'],
      homePage: 'https://app.example.org/',
    });
  });
  afterEach(backToNow);

  const scopeOf = async (answer: Seen, verifier: string): Promise<string> =>
    (await exchange(service, app, replyOf(answer).code, verifier)).body.scope as string;
  const isAsked = async (given: Record<string, string | undefined> = {}): Promise<boolean> =>
    (await visitor.get(ask(app, given).path)).status === 200;

  it('shows each requested scope in the words of the spec, with a box of its name', async () => {
    const { html } = await visitor.get(ask(app, { scope: ALL_SCOPES.join(' ') }).path);
    for (const [scope, meaning] of Object.entries(SCOPES)) {
      expect(html).toMatch(new RegExp(`<input[^>]*type="checkbox"[^>]*name="scope"[^>]*value="${scope}"`));
      expect(html).toContain(`<label for="${scope}" class="sentence">${meaning}</label>`);
    }
  });

  it('says what can be left out only where something can', async () => {
    const sentence = 'You can leave out what you do not want to allow.';
    expect((await visitor.get(ask(app).path)).html).toContain(sentence);
    expect((await visitor.get(ask(app, { scope: 'openid markers:read' }).path)).html).not.toContain(sentence);
  });

  it('keeps the language that the app asked for, wherever it leads', async () => {
    const page = await visitor.get(ask(app, { ui_locales: 'xx es' }).path);
    expect(page.html).toContain('lang="es"');
    expect(page.html).toContain('/consent?ui_locales=es');
    const switching = /href="(\/sign-in\?return_to=[^"]+)"/.exec(page.html)![1]!.replace(/&amp;/g, '&');
    expect((await visitor.get(switching)).html).toContain('lang="es"');
  });

  it('shows no scope that was not requested', async () => {
    const { html } = await visitor.get(ask(app, { scope: 'markers:read' }).path);
    for (const scope of ALL_SCOPES.filter((name) => name !== 'markers:read'))
      expect(html).not.toContain(`value="${scope}"`);
  });

  it('tells reading from changing', async () => {
    const { html } = await visitor.get(ask(app, { scope: ALL_SCOPES.join(' ') }).path);
    const [, identity, read, write] = html.split('<legend>');
    const scopesIn = (part = '') => [...part.matchAll(/name="scope" id="([^"]+)"/g)].map(([, scope]) => scope);
    expect(scopesIn(identity)).toEqual(['openid', 'profile', 'email']);
    expect(scopesIn(read)).toEqual(['edits:read', 'collections:read', 'markers:read', 'artists:read']);
    expect(scopesIn(write)).toEqual(['edits:write', 'edits:review', 'collections:write']);
  });

  it('tells the app, who registered it and when, where the person is sent, who they are, and how to switch', async () => {
    const { html } = await visitor.get(ask(app).path);
    for (const told of [app.app.name, 'Olga Owner', 'https://app.example.org/', 'app.example.org', person.name])
      expect(html).toContain(told);
    expect(html).toContain(`<time dateTime="${app.app.createdAt.toISOString()}"`.replace('dateTime', 'datetime'));
    const switching = /href="(\/sign-in\?return_to=[^"]+)"/.exec(html)![1]!.replace(/&amp;/g, '&');
    const other = await newAccount(service);
    const back = await visitor.signIn(other, 'correct horse', switching);
    expect((await visitor.get(back.location!)).html).toContain(other.name);
  });

  it('lets a person leave a scope out, and the token response says what was granted', async () => {
    const { path, verifier } = ask(app);
    const answer = await allow(visitor, path, ['profile']);
    expect(await scopeOf(answer, verifier)).toBe('openid profile markers:read');
  });

  it('keeps in what the app registered as required, and openid, whatever the form says', async () => {
    const { path, verifier } = ask(app);
    expect(await scopeOf(await allow(visitor, path, []), verifier)).toBe('openid markers:read');
  });

  it('grants nothing that was not requested, whatever the form says', async () => {
    const { path, verifier } = ask(app, { scope: 'openid markers:read' });
    const answer = await allow(visitor, path, ['edits:write', 'email', 'admin', '']);
    expect(await scopeOf(answer, verifier)).toBe('openid markers:read');
  });

  it.each([
    ['Deny', { decision: 'deny' }],
    ['no scope left in', { decision: 'allow', scope: [] }],
  ])('with %s answers access_denied', async (_, fields) => {
    const page = await visitor.get(ask(app, { scope: 'edits:write profile' }).path);
    const answer = await visitor.submit(page, '/consent', fields);
    expect(answer.status).toBe(303);
    expect(replyOf(answer)).toMatchObject({ error: 'access_denied', iss: service.settings.BASE_URL });
    expect(await isAsked({ scope: 'edits:write profile' })).toBe(true);
  });

  it('posted ten times at once gives one usable code and no error', async () => {
    const { path, verifier } = ask(app);
    const page = await visitor.get(path);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => visitor.submit(page, '/consent', { decision: 'allow' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(303));
    const codes = new Set(answers.map((answer) => replyOf(answer).code));
    expect(codes.size).toBe(1);
    expect((await exchange(service, app, [...codes][0], verifier)).status).toBe(200);
  });

  it('posted again after its code was exchanged, or ran out, gives a code that works', async () => {
    const { path, verifier } = ask(app);
    const page = await visitor.get(path);
    const post = async () => replyOf(await visitor.submit(page, '/consent', { decision: 'allow' })).code;
    const first = await post();
    expect((await exchange(service, app, first, verifier)).status).toBe(200);
    const second = await post();
    expect(await post()).toBe(second);
    later(61 * SECOND);
    const third = await post();
    expect(new Set([first, second, third]).size).toBe(3);
    expect((await exchange(service, app, third, verifier)).status).toBe(200);
  });

  it('posted again when its code has little time left gives another, and the first is void', async () => {
    const { path, verifier } = ask(app);
    const page = await visitor.get(path);
    const first = replyOf(await visitor.submit(page, '/consent', { decision: 'allow' })).code;
    later(40 * SECOND);
    const second = replyOf(await visitor.submit(page, '/consent', { decision: 'allow' })).code;
    expect((await exchange(service, app, first, verifier)).body.error).toBe('invalid_grant');
    expect((await exchange(service, app, second, verifier)).status).toBe(200);
  });

  it('answered otherwise the second time gives what was said last, and the first code is void', async () => {
    const { path, verifier } = ask(app);
    const page = await visitor.get(path);
    const first = await visitor.submit(page, '/consent', { decision: 'allow' });
    const second = await visitor.submit(page, '/consent', { decision: 'allow', scope: [] });
    expect((await exchange(service, app, replyOf(first).code, verifier)).body.error).toBe('invalid_grant');
    expect(await scopeOf(second, verifier)).toBe('openid markers:read');
  });

  it('is skipped for what the person has allowed this app already, and for less', async () => {
    expect(await isAsked()).toBe(true);
    await connect(service, app, visitor);
    expect(await isAsked()).toBe(false);
    const { path, verifier } = ask(app, { scope: 'markers:read' });
    expect(await scopeOf(await visitor.get(path), verifier)).toBe('markers:read');
  });

  it.each<[string, Record<string, string>]>([
    ['for a scope more', { scope: 'openid profile markers:read edits:write email' }],
    ['with prompt=consent', { prompt: 'consent' }],
  ])('is asked again %s', async (_, given) => {
    await connect(service, app, visitor);
    expect(await isAsked(given)).toBe(true);
  });

  it('is asked again for another app, by another person, and for what was left out the last time', async () => {
    await connect(service, app, visitor);
    const other = await newApp(service);
    expect((await visitor.get(ask(other).path)).status).toBe(200);
    const stranger = await signedIn(service, await newAccount(service));
    expect((await stranger.get(ask(app).path)).status).toBe(200);
    await allow(visitor, ask(app, { prompt: 'consent' }).path, ['profile']);
    expect(await isAsked()).toBe(true);
    expect(await isAsked({ scope: 'openid profile' })).toBe(false);
  });

  it('adds up over requests: what was not asked stays as it was', async () => {
    await connect(service, app, visitor, { scope: 'openid markers:read' });
    await connect(service, app, visitor, { scope: 'email' });
    expect(await isAsked({ scope: 'openid markers:read email' })).toBe(false);
  });

  it('of somebody else than who was asked is asked again, not taken', async () => {
    const page = await visitor.get(ask(app).path);
    const other = await newAccount(service);
    await visitor.signIn(other);
    const answer = await visitor.submit(page, '/consent', { decision: 'allow' });
    expect(answer.location).toMatch(/^\/api\/oauth\/authorize\?/);
    expect((await visitor.get(answer.location!)).html).toContain(other.name);
    expect(await service.database.countBy(AuthorizationCode, { appId: app.app.id })).toBe(0);
  });

  it('without a session, or an hour later, is asked again', async () => {
    const page = await visitor.get(ask(app).path);
    later(3601 * SECOND);
    expect((await visitor.submit(page, '/consent', { decision: 'allow' })).location).toMatch(
      /^\/api\/oauth\/authorize\?/,
    );
    backToNow();
    visitor.forgetCookies();
    const answer = await visitor.submit(page, '/consent', { decision: 'allow' });
    expect((await visitor.get(answer.location!)).location).toMatch(/^\/sign-in/);
  });

  it.each<[string, (sealed: string) => Record<string, string>]>([
    ['no request', () => ({ decision: 'allow' })],
    ['an edited request', (sealed) => ({ request: sealed.slice(0, -4) + 'AAAA', decision: 'allow' })],
    ['a made-up request', () => ({ request: btoa('{"client_id":"x"}'), decision: 'allow' })],
    ['no decision', (sealed) => ({ request: sealed })],
    ['another decision', (sealed) => ({ request: sealed, decision: 'maybe' })],
  ])('with %s is refused by a page', async (_, edited) => {
    const page = await visitor.get(ask(app).path);
    const sealed = formOf(page, '/consent').values['request'] as unknown as string[];
    const { status, location } = await visitor.post('/consent', edited(sealed[0]!));
    expect({ status, location }).toEqual({ status: 400, location: null });
  });

  it('ignores fields that would change what is asked', async () => {
    const page = await visitor.get(ask(app).path);
    const answer = await visitor.submit(page, '/consent', {
      decision: 'allow',
      redirect_uri: 'https://evil.example/',
      client_id: 'app_x',
      state: 'evil',
    });
    expect(answer.location!.startsWith(`${REDIRECT_URI}?`)).toBe(true);
    expect(answer.location).not.toContain('evil');
  });

  it('is void where the app changed its address or was disabled while it was asked', async () => {
    const page = await visitor.get(ask(app).path);
    const { name, scopes } = app.app;
    await service
      .get(AppsService)
      .changeSettings(app.app.id, { name, scopes, redirectUris: ['https://new.example.org/'] });
    expect((await visitor.submit(page, '/consent', { decision: 'allow' })).status).toBe(400);
    await service.get(AppsService).disable(app.app.id);
    expect((await visitor.submit(page, '/consent', { decision: 'allow' })).status).toBe(400);
  });

  it('cannot be given by a blocked person, who is told so, and the way back tells the app', async () => {
    const page = await visitor.get(ask(app).path);
    await service.get(AccountsService).block(person.username, 'Posted advertisements.');
    for (const answer of [
      await visitor.get(ask(app).path),
      await visitor.submit(page, '/consent', { decision: 'allow' }),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.html).toContain('Posted advertisements.');
      expect(answer.html).toContain('error=access_denied');
      expect(answer.html).toMatch(/\/sign-in\?return_to=[^"]*authorize/);
    }
    expect(replyOf(await visitor.get(ask(app, { prompt: 'none' }).path)).error).toBe('access_denied');
  });
});
