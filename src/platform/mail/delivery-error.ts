import { redactSecrets } from '../logging/redact-secrets.js';

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
