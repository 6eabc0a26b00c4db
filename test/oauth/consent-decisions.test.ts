import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { AccountsService } from '../../src/identity/accounts/accounts.service.js';
import { AppsService } from '../../src/identity/clients/apps.service.js';
import { AuthorizationCode } from '../../src/identity/oauth/authorize/authorization-code.entity.js';
import { ConsentDecisionService } from '../../src/identity/oauth/authorize/consent-decision.service.js';
import { Consent } from '../../src/identity/oauth/consents/consent.entity.js';
import { type Scope } from '../../src/identity/scopes/scopes.js';
import {
  grantConsent,
  createAuthorizationRequest,
  exchangeCode,
  REDIRECT_URI,
  parseRedirectParams,
} from '../support/authorization-flow.js';
import { createAccount, type TestApp } from '../support/factories.js';
import { ConsentFixture } from '../support/consent-fixture.js';
import { TestServer } from '../support/test-server.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';
import { parseForm, type BrowserClient } from '../support/browser-client.js';

describe('An answer to the consent page', () => {
  let server: TestServer;
  let fixture: ConsentFixture;
  let person: Account;
  let browser: BrowserClient;
  let app: TestApp;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    fixture = await ConsentFixture.start(server);
    ({ account: person, browser, app } = fixture);
  });
  afterEach(restoreClock);

  it('posted ten times at once gives one usable code and no error', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(app);
    const page = await browser.get(path);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => browser.submitForm(page, '/consent', { decision: 'allow' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(303));
    const codes = new Set(answers.map((answer) => parseRedirectParams(answer).code));
    expect(codes.size).toBe(1);
    expect((await exchangeCode(server, app, [...codes][0], codeVerifier)).status).toBe(200);
  });

  it('posted again after its code was exchanged, or ran out, gives a code that works', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(app);
    const page = await browser.get(path);
    const post = async () =>
      parseRedirectParams(await browser.submitForm(page, '/consent', { decision: 'allow' })).code;
    const first = await post();
    expect((await exchangeCode(server, app, first, codeVerifier)).status).toBe(200);
    const second = await post();
    expect(await post()).toBe(second);
    advanceClock(61 * SECOND_MS);
    const third = await post();
    expect(new Set([first, second, third]).size).toBe(3);
    expect((await exchangeCode(server, app, third, codeVerifier)).status).toBe(200);
  });

  it('posted again when its code has little time left gives another, and the first is void', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(app);
    const page = await browser.get(path);
    const first = parseRedirectParams(await browser.submitForm(page, '/consent', { decision: 'allow' })).code;
    advanceClock(40 * SECOND_MS);
    const second = parseRedirectParams(await browser.submitForm(page, '/consent', { decision: 'allow' })).code;
    expect((await exchangeCode(server, app, first, codeVerifier)).body.error).toBe('invalid_grant');
    expect((await exchangeCode(server, app, second, codeVerifier)).status).toBe(200);
  });

  it('answered otherwise the second time gives what was said last, and the first code is void', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(app);
    const page = await browser.get(path);
    const first = await browser.submitForm(page, '/consent', { decision: 'allow' });
    const second = await browser.submitForm(page, '/consent', { decision: 'allow', scope: [] });
    expect((await exchangeCode(server, app, parseRedirectParams(first).code, codeVerifier)).body.error).toBe(
      'invalid_grant',
    );
    expect(await fixture.exchangeForScope(second, codeVerifier)).toBe('openid markers:read');
  });

  it('posted again after it was taken back is given again', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(app);
    const page = await browser.get(path);
    await browser.submitForm(page, '/consent', { decision: 'allow' });
    await browser.submitForm(await browser.get('/account/apps'), '/account/apps');
    const { code } = parseRedirectParams(await browser.submitForm(page, '/consent', { decision: 'allow' }));
    expect((await exchangeCode(server, app, code, codeVerifier)).status).toBe(200);
  });

  it('denied after it was given, on the same page or another, voids the code and is asked again', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(app);
    const page = await browser.get(path);
    const { code } = parseRedirectParams(await browser.submitForm(page, '/consent', { decision: 'allow' }));
    expect(parseRedirectParams(await browser.submitForm(page, '/consent', { decision: 'deny' })).error).toBe(
      'access_denied',
    );
    expect((await exchangeCode(server, app, code, codeVerifier)).body.error).toBe('invalid_grant');
    expect(await fixture.requiresConsent()).toBe(true);
  });

  it('given for less later voids a code for more', async () => {
    const { path, codeVerifier } = createAuthorizationRequest(app);
    const { code } = parseRedirectParams(await grantConsent(browser, path));
    await grantConsent(browser, createAuthorizationRequest(app, { prompt: 'consent' }).path, []);
    expect((await exchangeCode(server, app, code, codeVerifier)).body.error).toBe('invalid_grant');
  });

  it('of somebody else than who was asked is asked again, not taken', async () => {
    const page = await browser.get(createAuthorizationRequest(app).path);
    const other = await createAccount(server);
    await browser.signIn(other);
    const answer = await browser.submitForm(page, '/consent', { decision: 'allow' });
    expect(answer.location).toMatch(/^\/api\/oauth\/authorize\?/);
    expect((await browser.get(answer.location!)).html).toContain(other.name);
    expect(await server.entityManager.countBy(AuthorizationCode, { appId: app.app.id })).toBe(0);
  });

  it('without a session, or an hour later, is asked again', async () => {
    const page = await browser.get(createAuthorizationRequest(app).path);
    advanceClock(3601 * SECOND_MS);
    expect((await browser.submitForm(page, '/consent', { decision: 'allow' })).location).toMatch(
      /^\/api\/oauth\/authorize\?/,
    );
    restoreClock();
    browser.clearCookies();
    const answer = await browser.submitForm(page, '/consent', { decision: 'allow' });
    expect((await browser.get(answer.location!)).location).toMatch(/^\/sign-in/);
  });

  it.each<[string, (sealed: string) => Record<string, string>]>([
    ['no request', () => ({ decision: 'allow' })],
    ['an edited request', (sealed) => ({ request: sealed.slice(0, -4) + 'AAAA', decision: 'allow' })],
    ['a made-up request', () => ({ request: btoa('{"client_id":"x"}'), decision: 'allow' })],
    ['no decision', (sealed) => ({ request: sealed })],
    ['another decision', (sealed) => ({ request: sealed, decision: 'maybe' })],
  ])('with %s is refused by a page', async (_, edited) => {
    const page = await browser.get(createAuthorizationRequest(app).path);
    const sealed = parseForm(page, '/consent').values['request'] as unknown as string[];
    const { status, location } = await browser.post('/consent', edited(sealed[0]!));
    expect({ status, location }).toEqual({ status: 400, location: null });
  });

  it('ignores fields that would change what is asked', async () => {
    const page = await browser.get(createAuthorizationRequest(app).path);
    const answer = await browser.submitForm(page, '/consent', {
      decision: 'allow',
      redirect_uri: 'https://evil.example/',
      client_id: 'app_x',
      state: 'evil',
    });
    expect(answer.location!.startsWith(`${REDIRECT_URI}?`)).toBe(true);
    expect(answer.location).not.toContain('evil');
  });

  it('is void where the app changed its address or was disabled while it was asked', async () => {
    const page = await browser.get(createAuthorizationRequest(app).path);
    const { name, scopes } = app.app;
    await server
      .get(AppsService)
      .updateSettings(app.app.id, { name, scopes, redirectUris: ['https://new.example.org/'] });
    expect((await browser.submitForm(page, '/consent', { decision: 'allow' })).status).toBe(400);
    await server.get(AppsService).disable(app.app.id);
    expect((await browser.submitForm(page, '/consent', { decision: 'allow' })).status).toBe(400);
  });

  it('cannot be given by who was blocked while they gave it', async () => {
    const { app: found } = app;
    const scopes: Scope[] = ['markers:read'];
    const request = { app: found, redirectUri: REDIRECT_URI, scopes, codeChallenge: null, nonce: null };
    const asked = {
      ...request,
      state: undefined,
      prompt: new Set<never>(),
      maxAge: undefined,
      hintedAccountId: undefined,
    };
    const session = { accountId: person.id, authTime: new Date(), account: person, digest: 'd', expiresAt: new Date() };
    await server.get(AccountsService).block(person.username, 'Spam.');
    expect(await server.get(ConsentDecisionService).allow(asked, session, 'an answer', scopes)).toBeUndefined();
    expect(await server.entityManager.countBy(Consent, { accountId: person.id })).toBe(0);
  });

  it('cannot be given by a blocked person, who is told so, and the way back tells the app', async () => {
    const page = await browser.get(createAuthorizationRequest(app).path);
    await server.get(AccountsService).block(person.username, 'Posted advertisements.');
    for (const answer of [
      await browser.get(createAuthorizationRequest(app).path),
      await browser.submitForm(page, '/consent', { decision: 'allow' }),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.html).toContain('Posted advertisements.');
      expect(answer.html).toContain('error=access_denied');
      expect(answer.html).toMatch(/\/sign-in\?return_to=[^"]*authorize/);
    }
    expect(parseRedirectParams(await browser.get(createAuthorizationRequest(app, { prompt: 'none' }).path)).error).toBe(
      'access_denied',
    );
  });
});
