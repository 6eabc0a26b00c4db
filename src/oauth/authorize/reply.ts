import { SeeOther } from '../../http/see-other.js';
import type { AuthorizationError } from './authorization-error.js';
import type { ReplyTo } from './authorization-request.js';

/** Sends the person back to the app with a code (RFC 6749 §4.1.2), and with our name (RFC 9207). */
export function replyWithCode(to: ReplyTo, issuer: string, code: string): SeeOther {
  return reply(to, { code, iss: issuer });
}

/** Sends the person back to the app with an error (RFC 6749 §4.1.2.1). */
export function replyWithError(to: ReplyTo, issuer: string, error: AuthorizationError): SeeOther {
  return reply(to, { error: error.code, error_description: error.description, iss: issuer });
}

/** A query that the registered address has itself is kept as it is (RFC 6749 §3.1.2). */
function reply({ redirectUri, state }: ReplyTo, answer: Record<string, string>): SeeOther {
  const query = new URLSearchParams({ ...answer, ...(state !== undefined && { state }) });
  return new SeeOther(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`);
}
