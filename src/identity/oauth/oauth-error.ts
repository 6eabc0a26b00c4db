import type { Violation } from '../apps/failed-calls/failed-calls.service.js';

/** No cache may store a response of the token and revoke endpoints (RFC 6749 §5.1). */
export const NO_STORE_HEADERS = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** The error codes of RFC 6749 §5.2, and two of §4.1.2.1 for errors of the server. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable'
  | 'server_error';

/**
 * An error of the token and revoke endpoints. Its description tells a developer what to do next, in
 * ASCII without quotes and backslashes (RFC 6749 §5.2). It never contains a secret, a token or a
 * digest.
 */
export class OAuthError extends Error {
  constructor(
    readonly code: OAuthErrorCode,
    readonly description: string,
    readonly status = code === 'invalid_client' ? 401 : 400,
    readonly headers: Record<string, string> = {},
    /** Only for the developer of the app, never in the response. */
    readonly diagnostics: { appId?: string | undefined; detail?: string | undefined; violation?: Violation } = {},
  ) {
    super(`${code}: ${description}`);
  }
}

/** Creates the `invalid_request` for a missing parameter. */
export function createMissingParamError(name: string): OAuthError {
  return new OAuthError('invalid_request', `${name} is missing.`);
}
