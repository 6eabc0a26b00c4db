import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { Authorization } from '../../src/oauth/authorization.entity.js';
import { ask, connect, replyOf, signedIn } from '../support/authorize.js';
import { newAccount, newApp, type TestApp } from '../support/factories.js';
import { Service } from '../support/service.js';
import { backToNow, later, SECOND } from '../support/time.js';
import { Visitor } from '../support/visitor.js';

describe('What an app says of how to ask (OpenID Connect Core §3.1.2.1)', () => {
  let service: Service;
  let person: Account;
  let visitor: Visitor;
  let app: TestApp;

  beforeAll(async () => {
    service = await Service.start();
    app = await newApp(service);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    person = await newAccount(service);
    visitor = await signedIn(service, person);
  });
  afterEach(backToNow);

  const errorOf = async (given: Record<string, string>, who = visitor): Promise<string | undefined> =>
    replyOf(await who.get(ask(app, given).path)).error;

  it('prompt=none: login_required without a session, consent_required without a yes, and a code with both', async () => {
    expect(await errorOf({ prompt: 'none' }, new Visitor(service))).toBe('login_required');
    expect(await errorOf({ prompt: 'none' })).toBe('consent_required');
    await connect(service, app, visitor);
    expect(replyOf(await visitor.get(ask(app, { prompt: 'none' }).path)).code).toMatch(/^sam_code_/);
  });

  it.each(['login', 'select_account'])('prompt=%s asks for the password again, once', async (prompt) => {
    await connect(service, app, visitor);
    const toSignIn = await visitor.get(ask(app, { prompt }).path);
    expect(toSignIn.location).toMatch(/^\/sign-in\?/);
    const page = await visitor.get(toSignIn.location!);
    expect(page.html).toContain('The app asks you to sign in again.');
    expect(page.html).not.toContain('Continue as');
    const back = await visitor.signIn(person, 'correct horse', toSignIn.location!);
    expect(replyOf(await visitor.get(back.location!)).code).toMatch(/^sam_code_/);
  });

  it('prompt=login is not got round by going back without signing in, nor by the way back of another request', async () => {
    await connect(service, app, visitor);
    const toSignIn = await visitor.get(ask(app, { prompt: 'login' }).path);
    const way = new URLSearchParams(toSignIn.location!.split('?')[1]).get('return_to')!;
    expect((await visitor.get(way)).location).toMatch(/^\/sign-in\?/);
    const askedAt = new URL(way, service.url).searchParams.get('asked_at')!;
    later(30 * SECOND);
    await visitor.signIn(person);
    later(30 * SECOND);
    const other = `${ask(app, { prompt: 'login' }).path}&asked_at=${askedAt}`;
    expect((await visitor.get(other)).location).toMatch(/^\/sign-in\?/);
    later(3600 * SECOND);
    expect((await visitor.get(way)).location).toMatch(/^\/sign-in\?/);
  });

  it('max_age asks for the password again where the last time is longer ago, and else does not', async () => {
    await connect(service, app, visitor);
    later(50 * SECOND);
    expect(replyOf(await visitor.get(ask(app, { max_age: '60' }).path)).code).toBeDefined();
    later(11 * SECOND);
    expect(await errorOf({ max_age: '60', prompt: 'none' })).toBe('login_required');
    const toSignIn = await visitor.get(ask(app, { max_age: '60' }).path);
    expect(toSignIn.location).toMatch(/^\/sign-in\?/);
    const back = await visitor.signIn(person, 'correct horse', toSignIn.location!);
    expect(replyOf(await visitor.get(back.location!)).code).toBeDefined();
  });

  it('max_age=0 always asks for the password, and does not ask for ever', async () => {
    await connect(service, app, visitor);
    later(SECOND);
    const toSignIn = await visitor.get(ask(app, { max_age: '0' }).path);
    const back = await visitor.signIn(person, 'correct horse', toSignIn.location!);
    later(SECOND);
    expect(replyOf(await visitor.get(back.location!)).code).toBeDefined();
  });

  it('max_age is not got round by going back much later', async () => {
    await connect(service, app, visitor);
    later(61 * SECOND);
    const toSignIn = await visitor.get(ask(app, { max_age: '5' }).path);
    const back = await visitor.signIn(person, 'correct horse', toSignIn.location!);
    later(120 * SECOND);
    expect((await visitor.get(back.location!)).location).toMatch(/^\/sign-in\?/);
  });

  it('auth_time tells when the person last proved who they are, and a refresh does not change it', async () => {
    const before = Math.floor(Date.now() / 1000);
    later(120 * SECOND);
    const { body } = await connect(service, app, visitor, { nonce: 'n-0S6' });
    const claims = JSON.parse(Buffer.from((body.id_token as string).split('.')[1]!, 'base64url').toString());
    expect(claims).toMatchObject({ iss: service.settings.BASE_URL, aud: app.app.id, sub: person.id, nonce: 'n-0S6' });
    expect(claims.auth_time).toBeGreaterThanOrEqual(before - 10);
    expect(claims.auth_time).toBeLessThan(before + 60);
    expect(claims.iat - claims.auth_time).toBeGreaterThanOrEqual(119);
    const refreshed = await service.call('POST', '/api/oauth/token', {
      body: { grant_type: 'refresh_token', refresh_token: body.refresh_token, ...app.credentials },
    });
    expect(refreshed.body.id_token).toBeUndefined();
    const [authorization] = await service.database.findBy(Authorization, { accountId: person.id });
    expect(Math.floor(authorization!.authTime.getTime() / 1000)).toBe(claims.auth_time);
    const [, payload] = (refreshed.body.access_token as string).split('.');
    expect(JSON.parse(Buffer.from(payload!, 'base64url').toString()).sub).toBe(person.id);
  });
});
