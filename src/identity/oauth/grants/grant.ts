import type { App } from '../../apps/app.entity.js';
import { OAuthError } from '../oauth-error.js';
import type { TokenRequestDto } from '../token-request.dto.js';
import type { TokenResponse } from '../token-response.dto.js';

/** A grant type of the token endpoint (RFC 6749 §1.3). */
export interface Grant {
  /** The value of `grant_type`. */
  readonly grantType: string;

  /**
   * Exchanges a grant for tokens.
   * @param idempotencyKey the header `Idempotency-Key`
   * @throws OAuthError if a parameter is missing, or `invalid_grant`, `invalid_scope`
   */
  exchange(client: App, params: TokenRequestDto, idempotencyKey?: string): Promise<TokenResponse>;
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
  throw new OAuthError('unsupported_grant_type', description, 400, {}, { violation });
}
