import { toErrorMessage } from '../logging/error-message.js';
import type { DatedMessage, MailSender } from './mail-sender.js';

/**
 * Prints messages in development, when no mail server is configured. It writes to standard output
 * and not to the logger, which would mask the links.
 */
export class DevelopmentSender implements MailSender {
  send({ to, subject, text }: DatedMessage): Promise<void> {
    process.stdout.write(`\nE-mail to ${to}\nSubject: ${subject}\n\n${text}\n`);
    return Promise.resolve();
  }

  isPermanentFailure(): boolean {
    return false;
  }

  describe(error: unknown): string {
    return toErrorMessage(error);
  }
}
