import { redactSecrets } from '../logging/redact-secrets.js';

/** Whether the link of a message would not work for its reader: such a message is dropped. */
export function isLinkExpired(linkExpiresAt: Date | null, now: Date): boolean {
  return linkExpiresAt !== null && linkExpiresAt <= now;
}

const SECOND_MS = 1000;
const MIN_RETRY_DELAY_MS = 5 * SECOND_MS;
const MAX_RETRY_DELAY_MS = 15 * 60 * SECOND_MS;

/** Time after which a message is given up. */
export const MAX_WAIT_MS = 24 * 3600 * SECOND_MS;

/**
 * Returns the time of the next attempt. The delay starts at 5 seconds and doubles up to 15 minutes.
 * The last attempt is 24 hours after the message was queued.
 * @param attempts the number of failed attempts
 * @returns undefined if that was the last one
 */
export function getNextAttempt(createdAt: Date, attempts: number, now: Date): Date | undefined {
  const endMs = createdAt.getTime() + MAX_WAIT_MS;
  if (now.getTime() >= endMs) return undefined;
  const delayMs = Math.min(MIN_RETRY_DELAY_MS * 2 ** (attempts - 1), MAX_RETRY_DELAY_MS);
  return new Date(Math.min(now.getTime() + delayMs, endMs));
}

/** Length of the column `last_error`. */
const MAX_REASON_LENGTH = 200;

/** The members of an error of nodemailer. */
interface SmtpError extends Error {
  code?: string;
  /** Status of the response (RFC 5321 §4.2). */
  responseCode?: number;
  /** The command that failed. */
  command?: string;
}

/**
 * Whether a further attempt would fail too: the mail server refuses the recipient or the content
 * with a 5xx status, or the address cannot be sent at all. Refused credentials and senders are
 * settings that the operator can correct, so these attempts are repeated.
 */
export function isPermanentFailure(error: unknown): boolean {
  const { code, responseCode = 0, command = '' } = error as SmtpError;
  if (code === 'EENVELOPE' && command === 'API') return true;
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
}

/** Returns the reason of a failed attempt on one line, without addresses, links and secrets. */
export function describeDeliveryError(error: unknown, password = ''): string {
  const { code, command, message } = error as SmtpError;
  const encodedPassword = Buffer.from(password).toString('base64');
  const withoutPassword = [password, encodedPassword]
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '[redacted]'), message);
  const text = redactSecrets(withoutPassword)
    .replace(/\bhttps?:\S+/gi, '[link]')
    .replace(/[^\s<>]+@[^\s<>]+/g, '[address]')
    .replace(/[\p{Cc}\s]+/gu, ' ');
  return [code, command, text].filter(Boolean).join(' ').slice(0, MAX_REASON_LENGTH);
}
