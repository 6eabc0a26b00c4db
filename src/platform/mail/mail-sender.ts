import type { OutgoingMessage } from './mail.js';
import { toErrorMessage } from '../logging/logged-error.js';

/** A message and the time at which it was queued. */
export interface DatedMessage extends OutgoingMessage {
  createdAt: Date;
}

/** Delivers messages. */
export interface MailSender {
  /**
   * Delivers a message.
   * @param signal aborts the attempt
   * @throws Error if the message is not delivered
   */
  send(message: DatedMessage, signal: AbortSignal): Promise<void>;
  /** Whether a further attempt would fail too. */
  isPermanentFailure(error: unknown): boolean;
  /** Returns the reason of a failure for the log, without addresses, links and secrets. */
  describe(error: unknown): string;
}

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
