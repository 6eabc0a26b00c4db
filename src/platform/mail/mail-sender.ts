import type { OutgoingMessage } from './outgoing-message.js';

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
