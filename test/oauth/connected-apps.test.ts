import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { SCOPES } from '../../src/identity/scopes/scopes.js';
import {
  grantConsent,
  createAuthorizationRequest,
  authorizeApp,
  exchangeCode,
  parseRedirectParams,
  openSignedInBrowser,
} from '../support/authorization-flow.js';
import { createAccount, registerApp, issueTokens, type TestApp } from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';
import { restoreClock, DAY_MS, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import type { PageResponse, BrowserClient } from '../support/browser-client.js';

const CONNECTED_APPS_PATH = '/account/apps';

describe('Connected apps', () => {
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
    app = await registerApp(server, { description: 'Walks from mural to mural.' });
  });
  afterEach(restoreClock);

  const refresh = (refresh_token: string): Promise<TestResponse> =>
    server.request('POST', '/api/oauth/token', {
      body: { grant_type: 'refresh_token', refresh_token, ...app.credentials },
    });
  const page = (): Promise<PageResponse> => browser.get(CONNECTED_APPS_PATH);
  const removables = ({ html }: PageResponse): string[] =>
    [...html.matchAll(/name="what" value="([^"]*)"/g)].map(([, what]) => what!);
  const times = ({ html }: PageResponse): string[] =>
    [...html.matchAll(/<time datetime="([^"]*)"/g)].map(([, at]) => at!);
  const isAsked = async (): Promise<boolean> =>
    (await browser.get(createAuthorizationRequest(app).path)).status === 200;

  it('says so where there is none', async () => {
    const { html } = await page();
    expect(html).toContain('No app may act for you.');
    expect(html).not.toContain('Remove access');
  });

  it('tells what each app may do, since when, when it was last used, and from which consent', async () => {
    const consentedAt = Date.now();
    await grantConsent(browser, createAuthorizationRequest(app, { scope: 'openid markers:read' }).path);
    advanceClock(600 * SECOND_MS);
    const { path, codeVerifier } = createAuthorizationRequest(app, { scope: 'openid' });
    const { body } = await exchangeCode(server, app, parseRedirectParams(await browser.get(path)).code, codeVerifier);
    advanceClock(3600 * SECOND_MS);
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
    const { body } = await authorizeApp(server, app, browser);
    const answer = await browser.submitForm(await page(), CONNECTED_APPS_PATH);
    expect(answer.status).toBe(303);
    expect(answer.location).toMatch(/^\/account\/apps\?removed=/);
    expect((await browser.get(answer.location!)).html).toContain(`The access of ${app.app.name} was removed.`);
    const refused = await refresh(body.refresh_token as string);
    expect({ status: refused.status, error: refused.body.error }).toEqual({ status: 400, error: 'invalid_grant' });
    expect(refused.body.error_description).toMatch(/revoked/);
    expect(await isAsked()).toBe(true);
    expect(removables(await page())).toEqual([]);
    const events = await server.entityManager.findBy(AuditEvent, { accountId: person.id });
    expect(events.map(({ type }) => type).sort()).toEqual([
      'authorization.revoked',
      'consent.given',
      'consent.withdrawn',
    ]);
  });

  it('tells of no removal that did not happen', async () => {
    await authorizeApp(server, app, browser);
    const removed = (await browser.submitForm(await page(), CONNECTED_APPS_PATH)).location!;
    const stranger = await openSignedInBrowser(server, await createAccount(server));
    for (const path of [removed, `${CONNECTED_APPS_PATH}?removed=${app.app.id}`, `${CONNECTED_APPS_PATH}?removed=x`])
      expect((await stranger.get(path)).html).not.toContain('was removed');
  });

  it('ends what an app holds also where the app is named, and not one authorization of it', async () => {
    const { body } = await authorizeApp(server, app, browser);
    await browser.post(CONNECTED_APPS_PATH, { what: app.app.id });
    expect((await refresh(body.refresh_token as string)).body.error).toBe('invalid_grant');
    expect(await isAsked()).toBe(true);
  });

  it('leaves an access token that is out, which runs out by itself', async () => {
    const { body } = await authorizeApp(server, app, browser);
    await browser.submitForm(await page(), CONNECTED_APPS_PATH);
    const { status } = await server.request('GET', '/api/markers', { token: body.access_token as string });
    expect(status).toBe(200);
  });

  it('lists each authorization of the same app by itself, and removing one leaves the other', async () => {
    const first = await authorizeApp(server, app, browser);
    const second = await authorizeApp(server, app, browser, { prompt: 'consent' });
    const [, older] = removables(await page());
    expect(removables(await page())).toHaveLength(2);
    await browser.post(CONNECTED_APPS_PATH, { what: older! });
    expect((await refresh(first.body.refresh_token as string)).body.error).toBe('invalid_grant');
    expect((await refresh(second.body.refresh_token as string)).status).toBe(200);
    expect(await isAsked()).toBe(false);
    expect(removables(await page())).toHaveLength(1);
  });

  it('lists an app that holds nothing but may come back without asking, until that is taken back', async () => {
    await grantConsent(browser, createAuthorizationRequest(app).path);
    expect(removables(await page())).toEqual([app.app.id]);
    expect(await isAsked()).toBe(false);
    await browser.submitForm(await page(), CONNECTED_APPS_PATH);
    expect(await isAsked()).toBe(true);
  });

  it('lists no authorization that was revoked or has run out', async () => {
    const { body } = await authorizeApp(server, app, browser);
    await server.request('POST', '/api/oauth/revoke', { body: { token: body.refresh_token, ...app.credentials } });
    expect(removables(await page())).toEqual([app.app.id]);
    const other = await registerApp(server);
    await issueTokens(server, { app: other.app, account: person });
    expect(removables(await page())).toHaveLength(2);
    advanceClock(31 * DAY_MS);
    await browser.signIn(person);
    expect(removables(await page())).toEqual([app.app.id]);
  });

  it('lists what the operator gave, and lets the person remove it', async () => {
    const tokens = await issueTokens(server, { app: app.app, account: person });
    expect((await page()).html).toContain('Those who run this map gave it access');
    await browser.submitForm(await page(), CONNECTED_APPS_PATH);
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('shows and removes nothing of another person', async () => {
    const { body } = await authorizeApp(server, app, browser);
    const [theirs] = removables(await page());
    const stranger = await openSignedInBrowser(server, await createAccount(server));
    expect((await stranger.get(CONNECTED_APPS_PATH)).html).not.toContain(app.app.name);
    for (const what of [theirs!, app.app.id, 'aut_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'nonsense', '']) {
      expect((await stranger.post(CONNECTED_APPS_PATH, { what })).location).toBe(CONNECTED_APPS_PATH);
    }
    expect((await refresh(body.refresh_token as string)).status).toBe(200);
    expect(await isAsked()).toBe(false);
  });

  it('tells a blocked person who is still signed in, who can still take back', async () => {
    await authorizeApp(server, app, browser);
    await server.get(AccountsService).block(person.username, 'Posted advertisements.');
    expect((await page()).html).toContain('Posted advertisements.');
    await browser.submitForm(await page(), CONNECTED_APPS_PATH);
    expect(removables(await page())).toEqual([]);
  });
});
