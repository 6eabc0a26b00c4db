import type { App } from '../../apps/app.entity.js';
import { OAuthError } from '../oauth-error.js';
import type { TokenRequestDto, TokenResponse } from '../token.dto.js';
import type { UndoableAttempt } from '../uncertain-commits.service.js';

/** The headers of a token request. */
export interface GrantHeaders {
  /** The header `Idempotency-Key`. */
  idempotencyKey: string | undefined;
  /** Thumbprint of the key of the DPoP proof, to which the access token is bound (RFC 9449 §5). */
  jkt: string | undefined;
}

/** A grant type of the token endpoint (RFC 6749 §1.3). */
export interface Grant {
  /** The value of `grant_type`. */
  readonly grantType: string;

  /**
   * Validates the parameters of a request.
   * @returns the exchange for tokens, which throws `invalid_grant` or `invalid_scope`
   * @throws OAuthError if a parameter is missing
   */
  prepare(
    client: App,
    params: TokenRequestDto,
    headers: GrantHeaders,
  ): UndoableAttempt<TokenResponse> | Promise<UndoableAttempt<TokenResponse>>;
}

/** Injection token of the grants that the token endpoint supports. */
export const GRANTS = Symbol('grants');

/** @throws OAuthError unsupported_grant_type */
export function findGrant(grants: Grant[], grantType: string | undefined): Grant {
  const grant = grants.find((candidate) => candidate.grantType === grantType);
  if (grant) return grant;
  const values = grants.map((candidate) => candidate.grantType);
  const description = `grant_type must be ${values.join(' or ')}.`;
  const violation = { accepted: { source: 'supported', values }, sent: grantType ?? '' } as const;
  throw new OAuthError('unsupported_grant_type', description, { violation });
}
