import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account.entity.js';
import { Session } from '../../src/accounts/session.entity.js';
import { SignInAttempts } from '../../src/accounts/sign-in-attempts.entity.js';
import { AuditEvent } from '../../src/audit/audit-event.entity.js';
import { Authorization } from '../../src/oauth/authorization.entity.js';
import { AuthorizationCode } from '../../src/oauth/authorize/authorization-code.entity.js';
import { Consent } from '../../src/oauth/consents/consent.entity.js';
import { RefreshToken } from '../../src/oauth/refresh-token.entity.js';
import { CleanUp } from '../../src/operations/clean-up.service.js';
import { allow, ask, exchange, replyOf, signedIn } from '../support/authorize.js';
import { newAccount, newApp, newTokens, type TestApp } from '../support/factories.js';
import { type Answer, Service } from '../support/service.js';
import { backToNow, DAY, later, SECOND } from '../support/time.js';
import { Visitor } from '../support/visitor.js';

const MINUTE = 60 * SECOND;

/** All that can go, and what must stay beside it. */
const [GOES, STAYS] = [
  [RefreshToken, Authorization, AuthorizationCode, Session, SignInAttempts],
  [Consent, AuditEvent],
];

describe('Cleaning up', () => {
  let service: Service;
  let account: Account;
  let app: TestApp;

  beforeEach(async () => {
    service = await Service.start();
    account = await newAccount(service);
    app = await newApp(service);
    later(0); // the clock stands still, unless a test moves it
  });
  afterEach(async () => {
    backToNow();
    await service.stop();
  });

  const cleanUp = (): Promise<number> => service.get(CleanUp).run();
  const counts = (entities: typeof GOES | typeof STAYS): Promise<number[]> =>
    Promise.all(entities.map((entity) => service.database.count(entity)));
  const newToken = async (): Promise<string> => (await newTokens(service, { ...app, account })).refresh_token;
  const present = (refresh_token: string): Promise<Answer> => {
    const body = { grant_type: 'refresh_token', refresh_token, ...app.credentials };
    return service.call('POST', '/api/oauth/token', { body });
  };
  const refreshed = async (token: string): Promise<string> => (await present(token)).body.refresh_token;
  const refusal = async (answer: Promise<Answer>): Promise<string> => (await answer).body.error_description;
  /** A person allows the app. @returns the code that it got for that, and what it needs to exchange it */
  const newCode = async (): Promise<{ code: string; verifier: string; visitor: Visitor }> => {
    const visitor = await signedIn(service, account);
    const { path, verifier } = ask(app);
    return { code: replyOf(await allow(visitor, path)).code!, verifier, visitor };
  };

  it('deletes chains of which every token expired 30 days ago, with what led to them', async () => {
    const { code, verifier } = await newCode();
    const token = (await exchange(service, app, code, verifier)).body.refresh_token as string;
    const last = await refreshed(token);
    await present(token);
    const stays = await counts(STAYS);
    expect(stays).toEqual([1, expect.any(Number)]);
    later(61 * DAY);
    expect(await cleanUp()).toBe(7);
    expect(await counts(GOES)).toEqual([0, 0, 0, 0, 0]);
    expect(await counts(STAYS)).toEqual(stays);
    for (const gone of [token, last]) expect(await refusal(present(gone))).toMatch(/no such refresh token/);
    expect(await refusal(exchange(service, app, code, verifier))).toMatch(/no such code/);
  });

  it('finds nothing to do where nothing is stale, and again where it has done it', async () => {
    await newToken();
    expect(await cleanUp()).toBe(0);
    later(61 * DAY);
    expect(await cleanUp()).toBe(2);
    expect(await cleanUp()).toBe(0);
  });

  it('keeps what the person allowed: they are not asked again', async () => {
    await newCode();
    later(61 * DAY);
    await cleanUp();
    const answer = await (await signedIn(service, account)).get(ask(app).path);
    expect(replyOf(answer)).toHaveProperty('code');
  });

  it('keeps tokens for 30 days after they expired: used, expired and revoked are told apart', async () => {
    const [used, unused, revoked] = [await newToken(), await newToken(), await newToken()];
    await present(used);
    await service.call('POST', '/api/oauth/revoke', { body: { token: revoked, ...app.credentials } });
    later(59 * DAY);
    expect(await cleanUp()).toBe(0);
    expect(await refusal(present(used))).toMatch(/already used/);
    expect(await refusal(present(unused))).toMatch(/expired/);
    expect(await refusal(present(revoked))).toMatch(/revoked/);
  });

  it('keeps a chain that lives, and deletes only what was spent long ago in it', async () => {
    const first = await newToken();
    later(25 * DAY);
    const second = await refreshed(first);
    later(25 * DAY);
    const third = await refreshed(second);
    later(11 * DAY);
    expect(await cleanUp()).toBe(1);
    expect(await refusal(present(first))).toMatch(/no such refresh token/);
    expect(await refusal(present(second))).toMatch(/already used/);
    expect((await present(third)).status).toBe(200);
  });

  it('keeps spent tokens so long that revoking by one ends its chain', async () => {
    const first = await newToken();
    later(29 * DAY);
    const second = await refreshed(first);
    later(29 * DAY);
    const third = await refreshed(second);
    later(DAY);
    await cleanUp();
    await service.call('POST', '/api/oauth/revoke', { body: { token: first, ...app.credentials } });
    expect(await refusal(present(third))).toMatch(/revoked/);
  });

  it('keeps the code of a chain that lives, however old: used again, it ends the chain', async () => {
    const { code, verifier } = await newCode();
    let token = (await exchange(service, app, code, verifier)).body.refresh_token as string;
    for (let month = 0; month < 4; month++) {
      later(29 * DAY);
      token = await refreshed(token);
    }
    expect(await cleanUp()).toBeGreaterThan(0);
    expect(await refusal(exchange(service, app, code, verifier))).toMatch(/already used/);
    expect(await refusal(present(token))).toMatch(/revoked/);
  });

  it('keeps a code that nobody used for 30 days, so that the app is told that it expired', async () => {
    const { code, verifier } = await newCode();
    later(29 * DAY);
    await cleanUp();
    expect(await refusal(exchange(service, app, code, verifier))).toMatch(/expired/);
  });

  it('keeps sessions until they end', async () => {
    const visitor = await signedIn(service, account);
    later(13 * DAY);
    await cleanUp();
    expect((await visitor.get('/account/apps')).status).toBe(200);
    later(2 * DAY);
    await cleanUp();
    expect(await service.database.count(Session)).toBe(0);
  });

  it('keeps attempts to sign in for an hour: whoever guesses goes on waiting', async () => {
    const guess = async (): Promise<number> => {
      const fields = { username: account.username, password: 'a guess' };
      return (await new Visitor(service).post('/sign-in', fields)).status;
    };
    for (let count = 0; count < 5; count++) expect(await guess()).not.toBe(429);
    expect(await guess()).toBe(429);
    await cleanUp();
    expect(await guess()).toBe(429);
    later(61 * MINUTE);
    expect(await cleanUp()).toBe(2);
  });
});
