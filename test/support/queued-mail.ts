import type { MailKind } from '../../src/identity/accounts/account-mail.service.js';
import { MessageCipherService } from '../../src/platform/mail/message-cipher.service.js';
import { OutgoingEmail } from '../../src/platform/mail/outgoing-email.entity.js';
import type { TestServer } from './test-server.js';

/** A message of the outbox, as its reader will see it. */
export interface QueuedMail {
  kind: string;
  /** Address of the recipient. */
  email: string;
  language: string;
  subject: string;
  text: string;
  /** URL of the button. */
  link: string | undefined;
}

/** Returns the waiting messages of a server, the oldest first. */
export async function readQueuedMail(server: TestServer): Promise<QueuedMail[]> {
  const rows = await server.entityManager.find(OutgoingEmail, { order: { id: 'ASC' } });
  return rows
    .filter(({ message }) => message !== null)
    .map(({ kind, message }) => {
      const { to: email, language, subject, text } = server.get(MessageCipherService).decrypt(message!)!;
      return { kind, email, language, subject, text, link: /^https?:\S+$/m.exec(text)?.[0] };
    });
}

/** Returns the last message of a kind to an address. */
export async function findQueuedMail(server: TestServer, kind: MailKind, email: string): Promise<QueuedMail> {
  const messages = await readQueuedMail(server);
  const message = messages.findLast((other) => other.kind === kind && other.email === email);
  if (!message) throw new Error(`No message ${kind} to ${email}: ${JSON.stringify(messages)}`);
  return message;
}

/** Returns the path and query of the link in the last message of a kind to an address. */
export async function findQueuedLink(server: TestServer, kind: MailKind, email: string): Promise<string> {
  const { link } = await findQueuedMail(server, kind, email);
  return link!.slice(server.settings.BASE_URL.length);
}
