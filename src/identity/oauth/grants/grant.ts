import type { App } from '../../clients/app.entity.js';
import type { TokenRequest } from '../token-request.dto.js';
import type { TokenResponse } from '../token-response.dto.js';

/** A way to get tokens (RFC 6749 §1.3). The token endpoint finds it by its name and knows none. */
export interface Grant {
  /** The value of `grant_type`. */
  readonly grantType: string;

  /**
   * @param idempotencyKey the header `Idempotency-Key`, where it was sent
   * @throws OAuthError where the request lacks a field, or what it presents is no good
   */
  exchange(app: App, request: TokenRequest, idempotencyKey?: string): Promise<TokenResponse>;
}

/** The grants that the token endpoint offers. */
export const GRANTS = Symbol('grants');
