import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DELIVERY_LEASE_MS } from '../../src/platform/mail/mail-delivery.service.js';
import { advanceClock, restoreClock } from '../support/fake-clock.js';
import { findFreePort } from '../support/free-port.js';
import { MailServer } from '../support/mail-server.js';
import { isSettled, queueMail, startDelivery, waitForOutbox } from '../support/mail-outbox.js';
import { ServerProcess } from '../support/server-process.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import { TEST_SETTINGS } from '../support/test-settings.js';
import { TestServer } from '../support/test-server.js';

const LINK = 'https://map.example.org/reset-password?token=the-token-of-the-link';
const RESET = { kind: 'resetPassword', link: LINK } as const;
const PRODUCTION = { NODE_ENV: 'production', DEMO_DATA: 'off', LOG_LEVEL: 'debug', LOG_FORMAT: 'json' };

describe('E-mail of a process', () => {
  let server: TestServer;
  let folder: TempFolder;
  let smtpPort: number;

  beforeEach(async () => {
    smtpPort = await findFreePort();
    server = await TestServer.start({ SMTP_URL: `smtp://127.0.0.1:${smtpPort}`, NODE_ENV: 'production' });
    folder = await createTempFolder();
  });
  afterEach(async () => {
    restoreClock();
    await server.stop();
    await folder.remove();
  });

  const startProcess = (environment: Record<string, string>): Promise<ServerProcess> => {
    const { DATABASE_URL } = server.settings;
    return ServerProcess.start(folder.path, { ...TEST_SETTINGS, DATABASE_URL, ...environment });
  };
  const startProduction = (): Promise<ServerProcess> =>
    startProcess({ ...PRODUCTION, SMTP_URL: `smtp://the-user:the-password@127.0.0.1:${smtpPort}` });
  const startMailServer = (options: Parameters<typeof MailServer.start>[0] = {}): Promise<MailServer> =>
    MailServer.start({
      port: smtpPort,
      onAuth: ({ username }, _session, respond) => respond(null, { user: username }),
      ...options,
    });

  it('is delivered after a restart when the process was killed before the delivery', async () => {
    const killed = await startProduction();
    await queueMail(server, RESET);
    await killed.waitForOutput(/"event":"email_postponed"/g);
    await killed.stop('SIGKILL');
    const mailServer = await startMailServer();
    const restarted = await startProduction();
    const [message] = await mailServer.waitForMessages();
    expect(message!.text).toContain(LINK);
    await waitForOutbox(server, isSettled);
    await restarted.stop();
    await mailServer.stop();
    expect(mailServer.messages).toHaveLength(1);
  });

  it('is delivered after the lease with the same Message-ID when the process was killed in an attempt', async () => {
    let isHeld = true;
    const mailServer = await startMailServer({
      onData: (stream, { envelope }, respond) => {
        const recipients = envelope.rcptTo.map(({ address }) => address);
        void mailServer.receive(stream, recipients).then(() => (isHeld ? undefined : respond()));
      },
    });
    const killed = await startProduction();
    await queueMail(server, RESET);
    await mailServer.waitForMessages();
    await killed.stop('SIGKILL');
    isHeld = false;
    startDelivery(server);
    const [waiting] = await waitForOutbox(server, () => true);
    expect(waiting).toMatchObject({ attempts: 1, sentAt: null, message: expect.any(String) });
    advanceClock(DELIVERY_LEASE_MS);
    const [first, second] = await mailServer.waitForMessages(2);
    expect(second!.headers['message-id']).toBe(first!.headers['message-id']);
    await waitForOutbox(server, isSettled);
    await mailServer.stop();
  });

  it('completes an open attempt when the process stops', async () => {
    let release: () => void = () => undefined;
    const mailServer = await startMailServer({
      onData: (stream, _session, respond) => void mailServer.receive(stream, []).then(() => (release = respond)),
    });
    const stopped = await startProduction();
    await queueMail(server);
    await mailServer.waitForMessages();
    const exit = stopped.stop();
    await stopped.waitForOutput(/"event":"server_stopping"/g);
    release();
    expect(await exit).toBe(0);
    const [email] = await waitForOutbox(server, isSettled);
    expect(email!.attempts).toBe(1);
    await mailServer.stop();
  });

  it('is not in the log in production, nor is the password of the mail server', async () => {
    const mailServer = await startMailServer({
      onAuth: ({ password }, _session, respond) => respond(new Error(`Wrong password ${password} for ${LINK}`)),
    });
    const process = await startProduction();
    await queueMail(server, RESET);
    await process.waitForOutput(/"event":"email_postponed"/g);
    await process.stop();
    await mailServer.stop();
    expect(process.output()).toContain('EAUTH');
    expect(process.output()).not.toMatch(/the-password|the-token|ann@|reset-password/);
    const [waiting] = await waitForOutbox(server, () => true);
    expect(waiting!.lastError).not.toMatch(/the-password|the-token/);
  });

  it('is printed with its link in development without SMTP_URL', async () => {
    const process = await startProcess({ DEMO_DATA: 'off' });
    await queueMail(server, RESET);
    await process.waitForOutput(/token=the-token-of-the-link\n/g);
    await waitForOutbox(server, isSettled);
    await process.stop();
    expect(process.output()).toContain('E-mail to ann@example.org\nSubject: Set a new password\n');
  });

  it('stays in the outbox of a process in production without SMTP_URL', async () => {
    await queueMail(server, RESET);
    const process = await startProcess(PRODUCTION);
    await process.stop();
    const [waiting] = await waitForOutbox(server, () => true);
    expect(waiting).toMatchObject({ attempts: 0, dueAt: expect.any(Date) });
    expect(process.output()).not.toContain('the-token');
  });
});
