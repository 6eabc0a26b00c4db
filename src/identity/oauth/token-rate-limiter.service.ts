import { Injectable } from '@nestjs/common';
import { getClientNetworkPrefix } from '../../platform/http/network-prefix.js';
import type { RateLimitPolicy } from '../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiter } from '../../platform/rate-limiting/rate-limiter.service.js';
import type { App } from '../clients/app.entity.js';
import type { ClientCall } from './authenticated-client.decorator.js';
import { OAuthError, type OAuthErrorCode } from './oauth-error.js';

/** Authenticated requests of one app to each endpoint. */
const REQUEST_POLICIES: Record<ClientCall['endpoint'], RateLimitPolicy> = {
  token: { name: 'tokens', limit: 3000, windowSeconds: 60 },
  revoke: { name: 'revocations', limit: 3000, windowSeconds: 60 },
};

/** Failed requests for one app from one network, by error code. */
const FAILURE_POLICIES: Partial<Record<OAuthErrorCode, RateLimitPolicy>> = {
  invalid_client: { name: 'wrong-secrets', limit: 60, windowSeconds: 60 },
  invalid_grant: { name: 'wrong-grants', limit: 600, windowSeconds: 60 },
};

/**
 * Limits requests to the token and revoke endpoints. Authenticated requests are counted by app
 * only, because many apps may share one server. Failed attempts are counted by app and network.
 * Successful requests never count against a failure limit, so failures of another client cannot
 * block a client with a valid secret and token.
 */
@Injectable()
export class TokenRateLimiter {
  constructor(private readonly rateLimiter: RateLimiter) {}

  /**
   * Counts a request of an authenticated client.
   * @throws OAuthError 429 above the limit
   */
  consumeRequest(endpoint: ClientCall['endpoint'], client: App): void {
    const { isExceeded, headers } = this.rateLimiter.consume(REQUEST_POLICIES[endpoint], client.id);
    if (isExceeded) throw createTooManyRequestsError('Too many requests from this app.', headers);
  }

  /**
   * Counts a failure, instead of the request. Requests with an unknown `client_id` share one
   * counter per network.
   * @returns the error of the response: the same one, or a 429 above the limit
   */
  consumeFailure({ endpoint, client }: ClientCall, error: OAuthError): OAuthError {
    const policy = FAILURE_POLICIES[error.code];
    if (!policy) return error;
    if (client) this.rateLimiter.refund(REQUEST_POLICIES[endpoint], client.id);
    const key = `${client?.id ?? error.diagnostics.appId ?? ''} ${getClientNetworkPrefix()}`;
    const { isExceeded, headers } = this.rateLimiter.consume(policy, key);
    if (!isExceeded) return error;
    return createTooManyRequestsError('Too many requests with wrong credentials or tokens.', headers);
  }
}

/** Creates the 429 of a limit. */
export function createTooManyRequestsError(reason: string, headers: Record<string, string>): OAuthError {
  const description = `${reason} Try again in ${headers['Retry-After']} seconds.`;
  return new OAuthError('temporarily_unavailable', description, 429, headers);
}
