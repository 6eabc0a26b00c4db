import type { Violation } from '../../apps/failed-calls/failed-calls.service.js';

/**
 * Error codes of the authorization endpoint (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6, RFC
 * 8707 §2).
 */
export type AuthorizationErrorCode =
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
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

/** Why the consent page must be shown, in a sentence for the developer. */
const CONSENT_REASONS = {
  scopes: 'The person has not allowed all requested scopes yet.',
  changed: 'The person has not seen the present name of this app or the host of redirect_uri yet.',
  always: 'The person is asked at each sign-in, because redirect_uri is on loopback or has a private-use scheme.',
};

/** Creates the `consent_required` error of a request with `prompt=none`. */
export function createConsentRequiredError(reason: keyof typeof CONSENT_REASONS): AuthorizationError {
  return new AuthorizationError(
    'consent_required',
    `${CONSENT_REASONS[reason]} Repeat the request without prompt=none.`,
  );
}
