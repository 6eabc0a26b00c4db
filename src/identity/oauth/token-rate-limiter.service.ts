import { Injectable } from '@nestjs/common';
import type { App } from '../clients/app.entity.js';
import { getClientNetworkPrefix } from '../../platform/http/network-prefix.js';
import type { RateLimitPolicy } from '../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiter } from '../../platform/rate-limiting/rate-limiter.service.js';
import { OAuthError, type OAuthErrorCode } from './oauth-error.js';

/** Requests of one app to the token endpoint, and to the revocation endpoint. */
const TOKEN_REQUEST_POLICY: RateLimitPolicy = { name: 'tokens', limit: 3000, windowSeconds: 60 };
const REVOCATION_POLICY: RateLimitPolicy = { name: 'revocations', limit: 3000, windowSeconds: 60 };

/** Failed requests from one network: a wrong secret, or an invalid grant. */
const INVALID_CLIENT_POLICY: RateLimitPolicy = { name: 'wrong-secrets', limit: 60, windowSeconds: 60 };
const INVALID_GRANT_POLICY: RateLimitPolicy = { name: 'wrong-grants', limit: 600, windowSeconds: 60 };

const CLIENT_POLICIES = { token: TOKEN_REQUEST_POLICY, revoke: REVOCATION_POLICY };
const FAILURE_POLICIES: Partial<Record<OAuthErrorCode, RateLimitPolicy>> = {
  invalid_client: INVALID_CLIENT_POLICY,
  invalid_grant: INVALID_GRANT_POLICY,
};

/**
 * The limits of the token and revoke endpoints. What proves something is counted by app alone, for many apps may share one
 * server. What proves nothing is counted once it was found so, by app and network, and only such is refused for it: nobody
 * with the right secret and token is kept out by somebody else's wrong ones.
 */
@Injectable()
export class TokenRateLimiter {
  constructor(private readonly rateLimiter: RateLimiter) {}

  /** Counts a request of an app that proved who it is. @throws OAuthError 429 where it makes too many */
  consumeRequest(endpoint: keyof typeof CLIENT_POLICIES, app: App): void {
    const quota = this.rateLimiter.consume(CLIENT_POLICIES[endpoint], app.id);
    if (quota.isExceeded) throw createTooManyRequestsError('This app makes too many requests.', quota.headers);
  }

  /**
   * Counts what was wrong, as that and as nothing else. Requests that name no app of ours count together.
   * @param app the one that proved who it is
   * @returns what to answer: the error, or that there were too many
   */
  consumeFailure(endpoint: keyof typeof CLIENT_POLICIES, error: unknown, app: App | undefined): unknown {
    const policy = error instanceof OAuthError ? FAILURE_POLICIES[error.code] : undefined;
    if (!(error instanceof OAuthError) || !policy) return error;
    if (app) this.rateLimiter.refund(CLIENT_POLICIES[endpoint], app.id);
    const quota = this.rateLimiter.consume(
      policy,
      `${app?.id ?? error.diagnostics.appId ?? ''} ${getClientNetworkPrefix()}`,
    );
    if (!quota.isExceeded) return error;
    return createTooManyRequestsError('Too many requests with wrong credentials or tokens.', quota.headers);
  }
}

export function createTooManyRequestsError(what: string, headers: Record<string, string>): OAuthError {
  const description = `${what} Try again in ${headers['Retry-After']} seconds.`;
  return new OAuthError('temporarily_unavailable', description, 429, headers);
}
