import { describeUnknownResource, listResourceUrls, parseResource, type Resource } from '../scopes/resources.js';
import type { Settings } from '../../platform/config/settings.js';
import type { Violation } from '../apps/failed-calls/failed-calls.service.js';

/** No cache may store a response of the token and revoke endpoints (RFC 6749 §5.1). */
export const NO_STORE_HEADERS = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/**
 * The error codes of RFC 6749 §5.2, RFC 8707 §2 and RFC 9449 §5, and two for errors of the server.
 */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_dpop_proof'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable'
  | 'server_error';

interface OAuthErrorMembers {
  /** The next members are only for the developer of the app, never in the response. */
  appId?: string | undefined;
  detail?: string | undefined;
  violation?: Violation;
  /** Seconds until the same request can succeed. */
  retryAfterSeconds?: number;
}

/**
 * An error of the token and revoke endpoints. Its description tells a developer what to do next, in
 * ASCII without quotes and backslashes (RFC 6749 §5.2). It never contains a secret, a token or a
 * digest. `OAuthErrorFilter` maps the code to a status.
 */
export class OAuthError extends Error {
  constructor(
    readonly code: OAuthErrorCode,
    readonly description: string,
    readonly members: OAuthErrorMembers = {},
  ) {
    super(`${code}: ${description}`);
  }
}

/** An error with a status and headers that do not follow from its code. */
export class OAuthHttpError extends OAuthError {
  constructor(
    readonly status: number,
    code: OAuthErrorCode,
    description: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(code, description);
  }
}

/** Creates the `invalid_request` for a missing parameter. */
export function createMissingParamError(name: string): OAuthError {
  return new OAuthError('invalid_request', `${name} is missing.`);
}

/**
 * Creates the `invalid_grant` for a rejected code or refresh token (RFC 6749 §5.2).
 * @param violation only for the developer of the app
 */
export function createInvalidGrantError(description: string, violation: Violation = {}): OAuthError {
  return new OAuthError('invalid_grant', description, { violation });
}

/** Parses the parameter `resource` of a token request. @throws OAuthError `invalid_target` */
export function parseRequestedResource(settings: Settings, sent: string | undefined): Resource | undefined {
  if (sent === undefined) return undefined;
  const resource = parseResource(settings, sent);
  if (resource !== undefined) return resource;
  const violation = { accepted: { source: 'supported', values: listResourceUrls(settings) }, sent } as const;
  throw new OAuthError('invalid_target', describeUnknownResource(settings), { violation });
}

/** Creates the `invalid_target` for a resource that the authorization request did not name. */
export function createUnrequestedResourceError(): OAuthError {
  return new OAuthError(
    'invalid_target',
    'The authorization request did not name this resource. Name it there too; the person must authorize again.',
  );
}
