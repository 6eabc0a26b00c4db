import { Redirect } from '../../../platform/http/redirect.js';
import type { AuthorizationError } from './authorization-error.js';
import type { RedirectTarget } from './authorization-request.js';

/** Sends the person back to the app with a code (RFC 6749 §4.1.2), and with our name (RFC 9207). */
export function redirectWithCode(to: RedirectTarget, issuer: string, code: string): Redirect {
  return createRedirect(to, { code, iss: issuer });
}

/** Sends the person back to the app with an error (RFC 6749 §4.1.2.1). */
export function redirectWithError(to: RedirectTarget, issuer: string, error: AuthorizationError): Redirect {
  return createRedirect(to, { error: error.code, error_description: error.description, iss: issuer });
}

/** A query that the registered address has itself is kept as it is (RFC 6749 §3.1.2). */
function createRedirect({ redirectUri, state }: RedirectTarget, answer: Record<string, string>): Redirect {
  const query = new URLSearchParams({ ...answer, ...(state !== undefined && { state }) });
  return new Redirect(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`);
}
