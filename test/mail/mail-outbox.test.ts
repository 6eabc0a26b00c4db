import { afterEach, beforeAll, afterAll, describe, expect, it } from '@jest/globals';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { MAX_MESSAGES_PER_HOUR, MailService } from '../../src/platform/mail/mail.service.js';
import { OutgoingEmail } from '../../src/platform/mail/outgoing-email.entity.js';
import { OutgoingEmailsStore } from '../../src/platform/mail/outgoing-emails.store.js';
import { MetricsService } from '../../src/platform/metrics/metrics.service.js';
import { RetentionService } from '../../src/platform/scheduling/retention.service.js';
import { advanceClock, DAY_MS, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import { queueMail, readOutbox, startDelivery, type TestMail } from '../support/mail-outbox.js';
import { TestServer } from '../support/test-server.js';

const HOUR_MS = 3600 * SECOND_MS;
const SMTP_URL = 'smtp://127.0.0.1:1';

describe('The outbox of e-mail', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ SMTP_URL, NODE_ENV: 'production', RATE_LIMITS: 'on' });
  });
  afterEach(async () => {
    restoreClock();
    await server.get(TransactionService).run((tx) => tx.deleteAll(OutgoingEmail));
  });
  afterAll(() => server.stop());

  const queueTo = (email: string, mail: TestMail = {}, accountId: string | null = null): Promise<void> =>
    queueMail(server, { ...mail, recipient: { accountId, email, name: 'Ann' } });
  const countQueued = async (): Promise<number> => (await readOutbox(server)).length;

  const countDropped = async (result: string): Promise<number> => {
    const { values } = await server.get(MetricsService).emails.get();
    return values.filter(({ labels }) => labels.result === result).reduce((sum, { value }) => sum + value, 0);
  };

  it(`queues ${MAX_MESSAGES_PER_HOUR} messages per hour to one address for the same reason`, async () => {
    advanceClock(0);
    for (const email of ['ann@example.org', 'ANN@example.org', 'Ann@Example.ORG'])
      for (let count = 0; count < 4; count++) await queueTo(email);
    expect(await countQueued()).toBe(MAX_MESSAGES_PER_HOUR);
    await queueTo('ann@example.org', { kind: 'emailTaken' });
    await queueTo('bob@example.org');
    expect(await countQueued()).toBe(MAX_MESSAGES_PER_HOUR + 2);
    advanceClock(HOUR_MS);
    await queueTo('ann@example.org');
    expect(await countQueued()).toBe(MAX_MESSAGES_PER_HOUR + 3);
  });

  it('keeps the limit for concurrent requests', async () => {
    const before = await countDropped('too_many_messages');
    await Promise.all(Array.from({ length: 20 }, () => queueTo('ann@example.org')));
    expect(await countQueued()).toBe(MAX_MESSAGES_PER_HOUR);
    expect(await countDropped('too_many_messages')).toBe(before + 20 - MAX_MESSAGES_PER_HOUR);
  });

  it('has no limit with RATE_LIMITS=off', async () => {
    const { DATABASE_URL } = server.settings;
    const other = await TestServer.start({ DATABASE_URL, SMTP_URL, NODE_ENV: 'production' });
    for (let count = 0; count < 2 * MAX_MESSAGES_PER_HOUR; count++) await queueMail(other);
    expect(await countQueued()).toBe(2 * MAX_MESSAGES_PER_HOUR);
    await other.stop();
  });

  it.each([
    'ann@example.org\r\nBcc: eve@example.org',
    'ann@example.org\n',
    'ann@example.org, eve@example.org',
    'ann@example.org>,<eve@example.org',
    'Ann <ann@example.org>',
    '"ann"@example.org',
    'ann',
    '',
    `${'a'.repeat(250)}@example.org`,
  ])('drops and counts a message to %j, and the change succeeds', async (email) => {
    const before = await countDropped('invalid_address');
    await queueTo(email);
    expect(await countQueued()).toBe(0);
    expect(await countDropped('invalid_address')).toBe(before + 1);
  });

  it('deletes the messages of a deleted account, except the notice, which has no account', async () => {
    await queueTo('ann@example.org', { kind: 'newSignIn' }, 'usr_1');
    await queueTo('ann@example.org', { kind: 'accountDeleted' });
    await queueTo('bob@example.org', { kind: 'newSignIn' }, 'usr_2');
    await queueTo('cid@example.org', { kind: 'newSignIn' });
    await server.get(TransactionService).run((tx) => server.get(OutgoingEmailsStore).deleteAll(tx, 'usr_1'));
    const left = (await readOutbox(server)).map(({ accountId, kind }) => [accountId, kind]);
    expect(left).toEqual([
      [null, 'accountDeleted'],
      ['usr_2', 'newSignIn'],
      [null, 'newSignIn'],
    ]);
  });

  it('keeps rows for a day, also those that were never delivered', async () => {
    await queueTo('ann@example.org');
    advanceClock(DAY_MS);
    await server.get(RetentionService).deleteExpired(Date.now());
    expect(await countQueued()).toBe(1);
    advanceClock(2 * HOUR_MS);
    await server.get(RetentionService).deleteExpired(Date.now());
    expect(await countQueued()).toBe(0);
  });

  it('is unavailable in production without SMTP_URL', async () => {
    const { DATABASE_URL } = server.settings;
    const other = await TestServer.start({ DATABASE_URL, NODE_ENV: 'production' });
    expect(other.get(MailService).isAvailable).toBe(false);
    await queueMail(other);
    startDelivery(other);
    expect(await countQueued()).toBe(0);
    await other.stop();
  });

  it('is available in development without SMTP_URL, and with SMTP_URL', async () => {
    const { DATABASE_URL } = server.settings;
    const other = await TestServer.start({ DATABASE_URL });
    expect([other, server].map((one) => one.get(MailService).isAvailable)).toEqual([true, true]);
    await other.stop();
  });
});
