import type { Violation } from '../../apps/failed-calls/failed-calls.service.js';

/** Error codes of the authorization endpoint (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6). */
export type AuthorizationErrorCode =
  | 'invalid_request'
  | 'invalid_scope'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported';

/**
 * An error that is returned to the app by redirect. The description is ASCII without quotes and
 * backslashes.
 */
export class AuthorizationError extends Error {
  constructor(
    readonly code: AuthorizationErrorCode,
    readonly description: string,
    /** Only for the developer of the app, never in the response. */
    readonly violation: Violation = {},
  ) {
    super(`${code}: ${description}`);
  }
}

/**
 * Creates the `consent_required` error of a request with `prompt=none`.
 * @param isAllowed whether the person allowed the scopes before, but must be asked each time
 */
export function createConsentRequiredError(isAllowed: boolean): AuthorizationError {
  const reason = isAllowed
    ? 'The person is asked at each sign-in, because redirect_uri is on loopback or has a private-use scheme.'
    : 'The person has not allowed all requested scopes yet.';
  return new AuthorizationError('consent_required', `${reason} Repeat the request without prompt=none.`);
}
