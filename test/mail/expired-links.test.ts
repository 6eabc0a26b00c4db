import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MailDeliveryService } from '../../src/platform/mail/mail-delivery.service.js';
import { MetricsService } from '../../src/platform/metrics/metrics.service.js';
import { advanceClock, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import { MailServer } from '../support/mail-server.js';
import { isSettled, queueMail, startDelivery, waitForOutbox } from '../support/mail-outbox.js';
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
});
