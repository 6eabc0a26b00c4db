import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { SCOPES } from '../../src/scopes/catalogue.js';
import { allow, ask, connect, replyOf, signedIn } from '../support/authorize.js';
import { ALL_SCOPES, newAccount, newApp, type TestApp } from '../support/factories.js';
import { ConsentFixture } from '../support/consent-fixture.js';
import { Service } from '../support/service.js';
import { type Visitor } from '../support/visitor.js';

describe('Consent', () => {
  let service: Service;
  let fixture: ConsentFixture;
  let person: Account;
  let visitor: Visitor;
  let app: TestApp;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());

  beforeEach(async () => {
    fixture = await ConsentFixture.start(service);
    ({ person, visitor, app } = fixture);
  });

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
    expect(await fixture.scopeOf(answer, verifier)).toBe('openid profile markers:read');
  });

  it('keeps in what the app registered as required, and openid, whatever the form says', async () => {
    const { path, verifier } = ask(app);
    expect(await fixture.scopeOf(await allow(visitor, path, []), verifier)).toBe('openid markers:read');
  });

  it('grants nothing that was not requested, whatever the form says', async () => {
    const { path, verifier } = ask(app, { scope: 'openid markers:read' });
    const answer = await allow(visitor, path, ['edits:write', 'email', 'admin', '']);
    expect(await fixture.scopeOf(answer, verifier)).toBe('openid markers:read');
  });

  it.each([
    ['Deny', { decision: 'deny' }],
    ['no scope left in', { decision: 'allow', scope: [] }],
  ])('with %s answers access_denied', async (_, fields) => {
    const page = await visitor.get(ask(app, { scope: 'edits:write profile' }).path);
    const answer = await visitor.submit(page, '/consent', fields);
    expect(answer.status).toBe(303);
    expect(replyOf(answer)).toMatchObject({ error: 'access_denied', iss: service.settings.BASE_URL });
    expect(await fixture.isAsked({ scope: 'edits:write profile' })).toBe(true);
  });

  it('names the whole address of an app with a scheme of its own, which could look like a host', async () => {
    const redirect_uri = 'evil.app://accounts.example.com/cb';
    const sly = await newApp(service, { redirectUris: [redirect_uri] });
    expect((await visitor.get(ask(sly, { redirect_uri }).path)).html).toContain(`<strong>${redirect_uri}</strong>`);
  });

  it('is skipped for what the person has allowed this app already, and for less', async () => {
    expect(await fixture.isAsked()).toBe(true);
    await connect(service, app, visitor);
    expect(await fixture.isAsked()).toBe(false);
    const { path, verifier } = ask(app, { scope: 'markers:read' });
    expect(await fixture.scopeOf(await visitor.get(path), verifier)).toBe('markers:read');
  });

  it.each<[string, Record<string, string>]>([
    ['for a scope more', { scope: 'openid profile markers:read edits:write email' }],
    ['with prompt=consent', { prompt: 'consent' }],
  ])('is asked again %s', async (_, given) => {
    await connect(service, app, visitor);
    expect(await fixture.isAsked(given)).toBe(true);
  });

  it('is asked again for another app, by another person, and for what was left out the last time', async () => {
    await connect(service, app, visitor);
    const other = await newApp(service);
    expect((await visitor.get(ask(other).path)).status).toBe(200);
    const stranger = await signedIn(service, await newAccount(service));
    expect((await stranger.get(ask(app).path)).status).toBe(200);
    await allow(visitor, ask(app, { prompt: 'consent' }).path, ['profile']);
    expect(await fixture.isAsked()).toBe(true);
    expect(await fixture.isAsked({ scope: 'openid profile' })).toBe(false);
  });

  it('adds up over requests: what was not asked stays as it was', async () => {
    await connect(service, app, visitor, { scope: 'openid markers:read' });
    await connect(service, app, visitor, { scope: 'email' });
    expect(await fixture.isAsked({ scope: 'openid markers:read email' })).toBe(false);
  });
});
