import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { DELIVERY_LEASE_MS } from '../../src/platform/mail/mail-delivery.service.js';
import type { Language } from '../../src/platform/i18n/language.js';
import { MailService } from '../../src/platform/mail/mail.service.js';
import { MetricsService } from '../../src/platform/metrics/metrics.service.js';
import { advanceClock, DAY_MS, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import { decodeHeader, MailServer } from '../support/mail-server.js';
import { createMail, isSettled, queueMail, readOutbox, startDelivery, waitForOutbox } from '../support/mail-outbox.js';
import { TestServer } from '../support/test-server.js';

const LINK = 'https://map.example.org/reset-password?token=the-token-of-the-link';

/** Responses of a mail server that refuses a command. */
const refuse = (responseCode: number): Error => Object.assign(new Error('Refused <ann@example.org>'), { responseCode });

describe('E-mail delivery', () => {
  let mailServer: MailServer;
  let server: TestServer;

  beforeEach(async () => {
    mailServer = await MailServer.start();
    server = await TestServer.start({
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'Die Karte <map@example.org>',
      NODE_ENV: 'production',
    });
  });
  afterEach(async () => {
    restoreClock();
    await server.stop();
    await mailServer.stop();
  });

  /** Starts the mail server again on its port, with other responses. */
  const restartMailServer = async (options: Parameters<typeof MailServer.start>[0] = {}): Promise<void> => {
    const { port } = mailServer;
    await mailServer.stop();
    mailServer = await MailServer.start({ port, ...options });
  };

  /** Waits until the counter of e-mails has a value. */
  const waitForCount = async (): Promise<unknown[]> => {
    for (;;) {
      const { values } = await server.get(MetricsService).emails.get();
      if (values.length > 0) return values;
      await nextTurn();
    }
  };

  it('sends a text and an HTML part in the language of the person', async () => {
    startDelivery(server);
    const recipient = { accountId: null, email: 'jörg@example.org', name: 'Jörg' };
    await queueMail(server, { kind: 'resetPassword', recipient, language: 'de', link: LINK });
    const [message] = await mailServer.waitForMessages();
    const { headers, text, html, recipients } = message!;
    expect(recipients).toEqual(['jörg@example.org']);
    expect(headers).toMatchObject({
      from: 'Die Karte <map@example.org>',
      'message-id': expect.stringMatching(/^<eml_\w{26}@map\.example\.org>$/),
      'auto-submitted': 'auto-generated',
      'content-language': 'de',
    });
    expect(decodeHeader(headers['subject']!)).toBe('Leg ein neues Passwort fest');
    expect(text).toContain(`Hallo Jörg,\r\n\r\nDu hast einen Link angefordert`);
    expect(text).toContain(`\r\nNeues Passwort festlegen:\r\n${LINK}\r\n`);
    expect(html).toMatch(/^<!doctype html><html lang="de">/);
    expect(html).toContain(`<a href="${LINK}"`);
  });

  it.each<[Language, string]>([
    ['en', 'Your password was changed'],
    ['es', 'Se cambió tu contraseña'],
    ['fr', 'Votre mot de passe a été modifié'],
    ['pt', 'Sua senha foi alterada'],
  ])('writes the subject in the language %s', async (language, subject) => {
    startDelivery(server);
    await queueMail(server, { language });
    const [message] = await mailServer.waitForMessages();
    expect(decodeHeader(message!.headers['subject']!)).toBe(subject);
  });

  it('keeps a message while the mail server is down, and delivers it afterwards', async () => {
    advanceClock(0);
    const { port } = mailServer;
    await mailServer.stop();
    startDelivery(server);
    await queueMail(server);
    const [waiting] = await waitForOutbox(server, ({ lastError }) => lastError !== null);
    expect(waiting).toMatchObject({ attempts: 1, lastError: expect.stringContaining('ECONNREFUSED') });
    expect(waiting!.dueAt!.getTime()).toBe(Date.now() + 5 * SECOND_MS);
    mailServer = await MailServer.start({ port });
    advanceClock(5 * SECOND_MS);
    await mailServer.waitForMessages();
    const [sent] = await waitForOutbox(server, isSettled);
    expect(sent).toMatchObject({ attempts: 2, lastError: null, sentAt: expect.any(Date) });
  });

  it('repeats an attempt that the server rejects temporarily, with the same Message-ID', async () => {
    advanceClock(0);
    const messageIds: (string | undefined)[] = [];
    await restartMailServer({
      onData: (stream, _session, respond) => {
        void mailServer.receive(stream, []).then(() => {
          messageIds.push(mailServer.messages.at(-1)!.headers['message-id']);
          respond(messageIds.length === 1 ? refuse(451) : null);
        });
      },
    });
    startDelivery(server);
    await queueMail(server);
    await waitForOutbox(server, ({ lastError }) => lastError !== null);
    advanceClock(5 * SECOND_MS);
    await waitForOutbox(server, isSettled);
    expect(messageIds).toEqual([messageIds[0], messageIds[0]]);
  });

  it('gives a message up when the server rejects the recipient permanently', async () => {
    await restartMailServer({ onRcptTo: (_address, _session, respond) => respond(refuse(550)) });
    startDelivery(server);
    await queueMail(server);
    const [failed] = await waitForOutbox(server, isSettled);
    expect(failed).toMatchObject({ attempts: 1, message: null, sentAt: null });
    expect(failed!.lastError).toContain('550');
    expect(failed!.lastError).not.toContain('ann@');
    const values = await waitForCount();
    expect(values).toMatchObject([{ labels: { kind: 'passwordChanged', result: 'failed' }, value: 1 }]);
  });

  it('keeps a message when the server rejects the sender', async () => {
    await restartMailServer({ onMailFrom: (_address, _session, respond) => respond(refuse(550)) });
    startDelivery(server);
    await queueMail(server);
    const [waiting] = await waitForOutbox(server, ({ lastError }) => lastError !== null);
    expect(waiting).toMatchObject({ message: expect.any(String), dueAt: expect.any(Date) });
  });

  it('gives a message up after 24 hours', async () => {
    advanceClock(0);
    await mailServer.stop();
    await queueMail(server);
    advanceClock(DAY_MS);
    startDelivery(server);
    const [failed] = await waitForOutbox(server, isSettled);
    expect(failed).toMatchObject({ attempts: 1, message: null, sentAt: null });
    mailServer = await MailServer.start();
  });

  it('sends nothing if the transaction is rolled back', async () => {
    startDelivery(server);
    const work = server.get(TransactionService).run(async (tx) => {
      await server.get(MailService).enqueue(tx, createMail());
      throw new Error('The change failed.');
    });
    await expect(work).rejects.toThrow('The change failed.');
    expect(await readOutbox(server)).toEqual([]);
    await queueMail(server, { kind: 'emailTaken' });
    const [message] = await mailServer.waitForMessages();
    expect(message!.headers['subject']).toBe('You already have an account');
  });

  it('is counted in the metrics, as waiting and as delivered', async () => {
    const { registry } = server.get(MetricsService);
    await queueMail(server);
    expect(await registry.metrics()).toContain('\nstreet_art_waiting_emails 1\n');
    startDelivery(server);
    await waitForCount();
    const text = await registry.metrics();
    expect(text).toContain('\nstreet_art_waiting_emails 0\n');
    expect(text).toContain('\nstreet_art_emails_total{kind="passwordChanged",result="delivered"} 1\n');
  });

  it('encrypts a waiting message and erases a delivered one', async () => {
    const recipient = { accountId: null, email: 'ann@example.org', name: 'Annabella' }; // too long to occur by chance
    await queueMail(server, { kind: 'resetPassword', link: LINK, recipient });
    const [waiting] = await readOutbox(server);
    expect(JSON.stringify(waiting)).not.toMatch(/example\.org|the-token|password\?|Annabella/);
    startDelivery(server);
    const [sent] = await waitForOutbox(server, isSettled);
    expect(sent).toMatchObject({ message: null, sentAt: expect.any(Date), attempts: 1 });
    expect(JSON.stringify(sent)).not.toMatch(/example\.org|the-token|Ann/);
  });

  it('delivers each message once with two processes', async () => {
    const { DATABASE_URL } = server.settings;
    const other = await TestServer.start({ DATABASE_URL, SMTP_URL: mailServer.url, NODE_ENV: 'production' });
    for (const one of [server, other]) startDelivery(one);
    await Promise.all(Array.from({ length: 20 }, () => queueMail(server)));
    await waitForOutbox(server, isSettled);
    await other.stop();
    const ids = mailServer.messages.map(({ headers }) => headers['message-id']);
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
  });

  it('leaves a message to its process until the lease expires', async () => {
    advanceClock(0);
    let attempts = 0;
    const nextAttempt = async (count: number): Promise<void> => {
      while (attempts < count) await nextTurn();
    };
    await restartMailServer({ onData: (stream) => void stream.resume().once('end', () => attempts++) });
    startDelivery(server);
    await queueMail(server);
    await nextAttempt(1);
    const [claimed] = await readOutbox(server);
    expect(claimed!.dueAt!.getTime()).toBe(Date.now() + DELIVERY_LEASE_MS);
    advanceClock(DELIVERY_LEASE_MS - SECOND_MS);
    await queueMail(server);
    await nextAttempt(2);
    expect((await readOutbox(server)).map((email) => email.attempts)).toEqual([1, 1]);
    advanceClock(SECOND_MS);
    await nextAttempt(3);
    expect((await readOutbox(server)).map((email) => email.attempts)).toEqual([2, 1]);
  });

  it('lets requests and transactions run while the mail server does not respond', async () => {
    let connections = 0;
    await restartMailServer({ onConnect: () => void connections++ });
    startDelivery(server);
    for (let count = 0; count < 8; count++) await queueMail(server);
    while (connections < 5) await nextTurn();
    await queueMail(server);
    expect((await server.request('GET', '/health/ready')).status).toBe(200);
    expect((await readOutbox(server)).filter(isSettled)).toEqual([]);
  });

  it('authenticates with the user and the password of SMTP_URL', async () => {
    const used: unknown[] = [];
    await restartMailServer({
      authOptional: false,
      onAuth: ({ username, password }, _session, respond) => {
        used.push([username, password]);
        respond(null, { user: username });
      },
    });
    const { DATABASE_URL } = server.settings;
    const SMTP_URL = mailServer.url.replace('//', '//the%40user:pass%2Fword@');
    const authenticated = await TestServer.start({ DATABASE_URL, SMTP_URL, NODE_ENV: 'production' });
    startDelivery(authenticated);
    await queueMail(server);
    await mailServer.waitForMessages();
    await authenticated.stop();
    expect(used).toEqual([['the@user', 'pass/word']]);
  });

  it('sends no password without TLS to another machine', async () => {
    const used: unknown[] = [];
    await restartMailServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username }, _session, respond) => {
        used.push(username);
        respond(null, { user: username });
      },
    });
    const { DATABASE_URL } = server.settings;
    const SMTP_URL = `smtp://user:password@0.0.0.0:${mailServer.port}`; // is not a loopback address
    const remote = await TestServer.start({ DATABASE_URL, SMTP_URL, NODE_ENV: 'production' });
    startDelivery(remote);
    await queueMail(server);
    const [waiting] = await waitForOutbox(server, ({ lastError }) => lastError !== null);
    await remote.stop();
    expect(waiting!.lastError).toContain('STARTTLS');
    expect(used).toEqual([]);
  });
});
