import { Redirect } from '../../../platform/http/redirect.js';
import type { AuthorizationError } from './authorization-error.js';
import type { RedirectTarget } from './authorization-request.js';

/** Redirects to the app with a code (RFC 6749 §4.1.2) and the issuer (RFC 9207). */
export function redirectWithCode(target: RedirectTarget, issuer: string, code: string): Redirect {
  return createRedirect(target, { code, iss: issuer });
}

/** Redirects to the app with an error (RFC 6749 §4.1.2.1) and the issuer (RFC 9207). */
export function redirectWithError(target: RedirectTarget, issuer: string, error: AuthorizationError): Redirect {
  return createRedirect(target, { error: error.code, error_description: error.description, iss: issuer });
}

/** Appends the parameters to the redirect URI and retains its own query (RFC 6749 §3.1.2). */
function createRedirect({ redirectUri, state }: RedirectTarget, params: Record<string, string>): Redirect {
  const query = new URLSearchParams({ ...params, ...(state !== undefined && { state }) });
  return new Redirect(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`);
}
