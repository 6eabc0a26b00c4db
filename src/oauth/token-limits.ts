import { Injectable } from '@nestjs/common';
import type { App } from '../apps/app.entity.js';
import { networkOfCaller } from '../http/network.js';
import type { RateLimitPolicy } from '../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiter } from '../platform/rate-limiting/rate-limiter.service.js';
import { OAuthError, type OAuthErrorCode } from './oauth-error.js';

/** Requests of one app to the token endpoint, and to the revocation endpoint. */
const TOKENS: RateLimitPolicy = { name: 'tokens', limit: 3000, windowSeconds: 60 };
const REVOCATIONS: RateLimitPolicy = { name: 'revocations', limit: 3000, windowSeconds: 60 };

/** Failed requests from one network: a wrong secret, or an invalid grant. */
const WRONG_SECRETS: RateLimitPolicy = { name: 'wrong-secrets', limit: 60, windowSeconds: 60 };
const WRONG_GRANTS: RateLimitPolicy = { name: 'wrong-grants', limit: 600, windowSeconds: 60 };

const BY_APP = { token: TOKENS, revoke: REVOCATIONS };
const OF_WHAT_IS_WRONG: Partial<Record<OAuthErrorCode, RateLimitPolicy>> = {
  invalid_client: WRONG_SECRETS,
  invalid_grant: WRONG_GRANTS,
};

/**
 * The limits of the token and revoke endpoints. What proves something is counted by app alone, for many apps may share one
 * server. What proves nothing is counted once it was found so, by app and network, and only such is refused for it: nobody
 * with the right secret and token is kept out by somebody else's wrong ones.
 */
@Injectable()
export class TokenLimits {
  constructor(private readonly rateLimiter: RateLimiter) {}

  /** Counts a request of an app that proved who it is. @throws OAuthError 429 where it makes too many */
  count(endpoint: keyof typeof BY_APP, app: App): void {
    const quota = this.rateLimiter.consume(BY_APP[endpoint], app.id);
    if (quota.isExceeded) throw tooManyRequests('This app makes too many requests.', quota.headers);
  }

  /**
   * Counts what was wrong, as that and as nothing else. Requests that name no app of ours count together.
   * @param app the one that proved who it is
   * @returns what to answer: the error, or that there were too many
   */
  countWrong(endpoint: keyof typeof BY_APP, error: unknown, app: App | undefined): unknown {
    const policy = error instanceof OAuthError ? OF_WHAT_IS_WRONG[error.code] : undefined;
    if (!(error instanceof OAuthError) || !policy) return error;
    if (app) this.rateLimiter.refund(BY_APP[endpoint], app.id);
    const quota = this.rateLimiter.consume(policy, `${app?.id ?? error.about.appId ?? ''} ${networkOfCaller()}`);
    if (!quota.isExceeded) return error;
    return tooManyRequests('Too many requests with wrong credentials or tokens.', quota.headers);
  }
}

export function tooManyRequests(what: string, headers: Record<string, string>): OAuthError {
  const description = `${what} Try again in ${headers['Retry-After']} seconds.`;
  return new OAuthError('temporarily_unavailable', description, 429, headers);
}
