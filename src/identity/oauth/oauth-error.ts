/** The error codes of RFC 6749 §5.2 that our endpoints answer with, and one of §4.1.2.1 for when the database is away. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable'
  | 'server_error';

/**
 * An error of the token and revoke endpoints. The description tells a developer what to do next, in ASCII without quotes
 * and backslashes (RFC 6749 §5.2); no secret, token or digest is ever in one.
 */
export class OAuthError extends Error {
  constructor(
    readonly code: OAuthErrorCode,
    readonly description: string,
    readonly status = code === 'invalid_client' ? 401 : 400,
    readonly headers: Record<string, string> = {},
    /** What only the developer of the app is told. */
    readonly diagnostics: { appId?: string | undefined; detail?: string | undefined } = {},
  ) {
    super(`${code}: ${description}`);
  }
}

export function createMissingParamError(name: string): OAuthError {
  return new OAuthError('invalid_request', `The field ${name} is missing.`);
}
