import { setImmediate as nextTurn } from 'node:timers/promises';
import { composeMail, type MailKind } from '../../src/identity/accounts/account-mail.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { MailDeliveryService } from '../../src/platform/mail/mail-delivery.service.js';
import type { Mail } from '../../src/platform/mail/mail.js';
import { MailService } from '../../src/platform/mail/mail.service.js';
import { DatabasePollService } from '../../src/platform/scheduling/database-poll.service.js';
import { OutgoingEmail } from '../../src/platform/mail/outgoing-email.entity.js';
import type { TestServer } from './test-server.js';

/** Interval at which a test server checks its outbox, in milliseconds. */
const POLL_INTERVAL_MS = 5;

/** Content of a test message. */
export type TestMail = Partial<Pick<Mail, 'recipient' | 'language' | 'link' | 'linkExpiresAt'>> & { kind?: MailKind };

/** Returns a message. Each field has a default, except the link. */
export function createMail({ kind = 'passwordChanged', language = 'en', ...overrides }: TestMail = {}): Mail {
  const { link: _link, ...mail } = composeMail(kind, language, '');
  return { ...mail, recipient: { accountId: null, email: 'ann@example.org', name: 'Ann' }, ...overrides };
}

/** Queues a message in a transaction of its own. */
export async function queueMail(server: TestServer, overrides: TestMail = {}): Promise<void> {
  const mail = createMail(overrides);
  await server.get(TransactionService).run((tx) => server.get(MailService).enqueue(tx, mail));
}

/** Starts the delivery in a test server. */
export function startDelivery(server: TestServer): void {
  server.get(MailDeliveryService).start();
  server.get(DatabasePollService).start(POLL_INTERVAL_MS);
}

/** Reads the outbox, the oldest message first. */
export function readOutbox(server: TestServer): Promise<OutgoingEmail[]> {
  return server.entityManager.find(OutgoingEmail, { order: { id: 'ASC' } });
}

/** Waits until each message of the outbox fulfills a condition. */
export async function waitForOutbox(
  server: TestServer,
  isExpected: (email: OutgoingEmail) => boolean,
): Promise<OutgoingEmail[]> {
  for (;;) {
    const emails = await readOutbox(server);
    if (emails.every(isExpected)) return emails;
    await nextTurn();
  }
}

/** Whether a message was delivered or given up. */
export const isSettled = ({ dueAt }: OutgoingEmail): boolean => dueAt === null;
