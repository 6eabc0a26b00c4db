import { afterEach, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { FailedSignInsService } from '../../src/identity/accounts/sign-in/failed-sign-ins.service.js';
import { SignInAttemptCounter } from '../../src/identity/accounts/sign-in/sign-in-attempt-counter.entity.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { RetentionService } from '../../src/platform/scheduling/retention.service.js';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount } from '../support/factories.js';
import { advanceClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import { OAuthFixture } from '../support/oauth-fixture.js';

describe('Failed sign-ins in a row', () => {
  const fixture = OAuthFixture.use();
  afterEach(restoreClock);

  const fail = async (times: number, login = fixture.account.username): Promise<void> => {
    for (let count = 0; count < times; count++) {
      advanceClock(61 * SECOND_MS);
      const { status } = await new BrowserClient(fixture.server).post('/sign-in', {
        username: login,
        password: 'wrong',
      });
      expect(status).toBe(422);
    }
  };
  const signIn = async (): Promise<void> => {
    advanceClock(61 * SECOND_MS);
    await new BrowserClient(fixture.server).signIn(fixture.account);
  };
  const listReports = async ({ id }: Account = fixture.account): Promise<(string | null)[]> => {
    const where = { accountId: id, type: 'sign_in.failed' as const };
    const events = await fixture.server.entityManager.find(AuditEvent, { where, order: { id: 'ASC' } });
    return events.map(({ detail }) => detail);
  };

  it('are not reported before the third one', async () => {
    await fail(2);
    expect(await listReports()).toEqual([]);
  });

  it('are not reported to another account', async () => {
    const other = await createAccount(fixture.server);
    await fail(3);
    expect(await listReports(other)).toEqual([]);
  });

  it('are not reported after a sign-in without failures', async () => {
    await signIn();
    expect(await listReports()).toEqual([]);
  });

  it('are reported at the third and the tenth one, and at the next sign-in', async () => {
    await fail(12);
    expect(await listReports()).toEqual(['3', '10']);
    await signIn();
    expect(await listReports()).toEqual(['3', '10', '12']);
    await signIn();
    expect(await listReports()).toEqual(['3', '10', '12']);
  });

  it('are reported once if the last one was reported already', async () => {
    await fail(3);
    await signIn();
    expect(await listReports()).toEqual(['3']);
  });

  it('are counted from one again after a sign-in', async () => {
    await fail(2);
    await signIn();
    await fail(2);
    await signIn();
    expect(await listReports()).toEqual(['2', '2']);
  });

  it('are counted together for the username and the e-mail address', async () => {
    await fail(2);
    await fail(1, fixture.account.email.toUpperCase());
    expect(await listReports()).toEqual(['3']);
  });

  it('are each counted when they happen at the same time', async () => {
    const service = fixture.server.get(FailedSignInsService);
    const { username } = fixture.account;
    await Promise.all(Array.from({ length: 12 }, () => service.recordFailure(username, fixture.account)));
    expect(await listReports()).toEqual(['3', '10']);
    await Promise.all([1, 2, 3].map(() => service.recordSuccess(fixture.account)));
    expect(await listReports()).toEqual(['3', '10', '12']);
  });

  it('write the same rows for an unknown login, but no event', async () => {
    const { username } = await createAccount(fixture.server);
    const events = await fixture.server.entityManager.count(AuditEvent);
    const counters = (): Promise<number> => fixture.server.entityManager.count(SignInAttemptCounter);
    const before = await counters();
    await fail(1, username);
    const added = (await counters()) - before;
    await fail(3, 'made-up-name');
    expect((await counters()) - before).toBe(2 * added);
    expect(await fixture.server.entityManager.count(AuditEvent)).toBe(events);
  });

  it('are forgotten one hour after the last one', async () => {
    await fail(2);
    advanceClock(3601 * SECOND_MS);
    await fixture.server.get(RetentionService).deleteExpired(Date.now());
    await fail(2);
    expect(await listReports()).toEqual([]);
  });

  it('appear on the activity page before the sign-in that followed', async () => {
    await fail(4);
    await signIn();
    const { html } = await fixture.browser.get('/account/activity');
    const sentences = [...html.matchAll(/<li><p>(.*?)<\/p>/g)].map(([, sentence]) => sentence);
    expect(sentences).toEqual([
      'You signed in with an unknown browser.',
      'Failed sign-ins in a row: 4.',
      'Failed sign-ins in a row: 3.',
      'You signed in with an unknown browser.',
    ]);
  });
});
