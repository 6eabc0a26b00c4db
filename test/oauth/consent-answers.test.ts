import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { AppsService } from '../../src/apps/apps.service.js';
import { AuthorizationCode } from '../../src/oauth/authorize/authorization-code.entity.js';
import { Decisions } from '../../src/oauth/authorize/decisions.service.js';
import { Consent } from '../../src/oauth/consents/consent.entity.js';
import { type Scope } from '../../src/scopes/catalogue.js';
import { allow, ask, exchange, REDIRECT_URI, replyOf } from '../support/authorize.js';
import { newAccount, type TestApp } from '../support/factories.js';
import { ConsentFixture } from '../support/consent-fixture.js';
import { Service } from '../support/service.js';
import { backToNow, later, SECOND } from '../support/time.js';
import { formOf, type Visitor } from '../support/visitor.js';

describe('An answer to the consent page', () => {
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
  afterEach(backToNow);

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
    expect(await fixture.scopeOf(second, verifier)).toBe('openid markers:read');
  });

  it('posted again after it was taken back is given again', async () => {
    const { path, verifier } = ask(app);
    const page = await visitor.get(path);
    await visitor.submit(page, '/consent', { decision: 'allow' });
    await visitor.submit(await visitor.get('/account/apps'), '/account/apps');
    const { code } = replyOf(await visitor.submit(page, '/consent', { decision: 'allow' }));
    expect((await exchange(service, app, code, verifier)).status).toBe(200);
  });

  it('denied after it was given, on the same page or another, voids the code and is asked again', async () => {
    const { path, verifier } = ask(app);
    const page = await visitor.get(path);
    const { code } = replyOf(await visitor.submit(page, '/consent', { decision: 'allow' }));
    expect(replyOf(await visitor.submit(page, '/consent', { decision: 'deny' })).error).toBe('access_denied');
    expect((await exchange(service, app, code, verifier)).body.error).toBe('invalid_grant');
    expect(await fixture.isAsked()).toBe(true);
  });

  it('given for less later voids a code for more', async () => {
    const { path, verifier } = ask(app);
    const { code } = replyOf(await allow(visitor, path));
    await allow(visitor, ask(app, { prompt: 'consent' }).path, []);
    expect((await exchange(service, app, code, verifier)).body.error).toBe('invalid_grant');
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
    await service.get(AccountsService).block(person.username, 'Spam.');
    expect(await service.get(Decisions).allow(asked, session, 'an answer', scopes)).toBeUndefined();
    expect(await service.database.countBy(Consent, { accountId: person.id })).toBe(0);
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
