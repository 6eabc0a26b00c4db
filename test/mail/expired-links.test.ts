import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MailDeliveryService } from '../../src/platform/mail/mail-delivery.service.js';
import type { Mail } from '../../src/platform/mail/mail.js';
import { MetricsService } from '../../src/platform/metrics/metrics.service.js';
import { advanceClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import { MailServer } from '../support/mail-server.js';
import { isSettled, queueMail, startDelivery, type TestMail, waitForOutbox } from '../support/mail-outbox.js';
import { TestServer } from '../support/test-server.js';

describe('A message with a link', () => {
  let mailServer: MailServer;
  let server: TestServer;

  beforeEach(async () => {
    mailServer = await MailServer.start();
    server = await TestServer.start({ SMTP_URL: mailServer.url, MAIL_FROM: 'map@example.org' });
    advanceClock(0);
    const linkExpiresAt = new Date(Date.now() + SECOND_MS);
    await queueMail(server, { kind: 'resetPassword', link: 'https://map.example.org/reset', linkExpiresAt });
  });
  afterEach(async () => {
    restoreClock();
    await server.stop();
    await mailServer.stop();
  });

  /** Queues a message that confirms an address, with a link that contains a text. */
  const queue = (accountId: string | null, text: string, mail: TestMail = {}): Promise<void> =>
    queueMail(server, {
      kind: 'confirmEmail',
      recipient: createRecipient(accountId),
      link: `https://map.example.org/link/${text}`,
      linkExpiresAt: new Date(Date.now() + SECOND_MS),
      ...mail,
    });

  /** Delivers all messages. @returns the texts of their links */
  const deliver = async (): Promise<string[]> => {
    startDelivery(server);
    await waitForOutbox(server, isSettled);
    return mailServer.messages.flatMap(({ text }) => /\/link\/(\S+)/.exec(text)?.[1] ?? []).sort();
  };

  it('is erased and counted if the link expired before the delivery', async () => {
    advanceClock(SECOND_MS);
    startDelivery(server);
    expect(await waitForOutbox(server, isSettled)).toMatchObject([{ message: null, sentAt: null }]);
    await server.get(MailDeliveryService).onModuleDestroy(); // waits for open attempts
    const { values } = await server.get(MetricsService).emails.get();
    expect(values).toEqual([{ labels: { kind: 'resetPassword', result: 'expired' }, value: 1 }]);
    expect(mailServer.messages).toEqual([]);
  });

  it('is delivered while the link works', async () => {
    advanceClock(SECOND_MS - 1);
    startDelivery(server);
    await mailServer.waitForMessages();
  });

  it('is not sent after a message with a newer link was queued for the account', async () => {
    await queue('usr_1', 'replaced');
    await queue('usr_1', 'of-another-kind', { kind: 'resetPassword' });
    await queue('usr_2', 'of-another-account');
    await queue(null, 'without-an-account');
    await queue('usr_1', 'newest', { recipient: createRecipient('usr_1', 'new@example.org') });
    await queue(null, 'newest-without-an-account');
    expect(await deliver()).toEqual([
      'newest',
      'newest-without-an-account',
      'of-another-account',
      'of-another-kind',
      'without-an-account',
    ]);
  });

  it('is sent if the newer message was dropped, or has no link', async () => {
    await queue('usr_1', 'older');
    await queue('usr_1', 'dropped', { recipient: createRecipient('usr_1', 'nonsense') });
    await queueMail(server, { kind: 'confirmEmail', recipient: createRecipient('usr_1') });
    expect(await deliver()).toEqual(['older']);
  });
});

function createRecipient(accountId: string | null, email = 'ann@example.org'): Mail['recipient'] {
  return { accountId, email, name: 'Ann' };
}
