/** The error codes of RFC 6749 §4.1.2.1 and OpenID Connect Core §3.1.2.6 that the authorization endpoint answers with. */
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

/** An error that goes back to the app, by way of the person's browser. ASCII without quotes and backslashes. */
export class AuthorizationError extends Error {
  constructor(
    readonly code: AuthorizationErrorCode,
    readonly description: string,
  ) {
    super(`${code}: ${description}`);
  }
}
