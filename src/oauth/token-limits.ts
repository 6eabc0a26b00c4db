import { Injectable } from '@nestjs/common';
import type { App } from '../apps/app.entity.js';
import { digest } from '../crypto/opaque-secret.js';
import { currentRequest } from '../http/current-request.js';
import { networkOf } from '../http/network.js';
import { TOKENS, WRONG_GRANTS, WRONG_SECRETS } from '../limits/policy.js';
import { RateLimits } from '../limits/rate-limits.js';
import { OAuthError } from './oauth-error.js';

/**
 * The limits of the token and revoke endpoints. What proves something is counted by app alone, for many apps may share one
 * server. What proves nothing is counted once it was found so, by app and network, and only such is refused for it: nobody
 * with the right secret and token is kept out by somebody else's wrong ones.
 */
@Injectable()
export class TokenLimits {
  constructor(private readonly limits: RateLimits) {}

  /** Counts a request of an app that proved who it is. @throws OAuthError 429 where it makes too many */
  async count(app: App): Promise<void> {
    const quota = await this.limits.take(TOKENS, app.id);
    if (quota.isUsedUp) throw tooManyRequests('This app makes too many requests.', quota.headers);
  }

  /** Counts what was wrong. @param claimed the app that it was said to be from @returns what to answer instead, if anything */
  async countWrong(error: unknown, claimed: string | undefined): Promise<unknown> {
    const policy = POLICIES[error instanceof OAuthError ? error.code : ''];
    if (!policy) return error;
    const quota = await this.limits.take(policy, `${digest(claimed ?? '')} ${networkOf(currentRequest()?.ip ?? '')}`);
    return quota.isUsedUp
      ? tooManyRequests('Too many requests with wrong credentials or tokens.', quota.headers)
      : error;
  }
}

const POLICIES: Partial<Record<string, typeof WRONG_SECRETS>> = {
  invalid_client: WRONG_SECRETS,
  invalid_grant: WRONG_GRANTS,
};

export function tooManyRequests(what: string, headers: Record<string, string>): OAuthError {
  const description = `${what} Try again in ${headers['Retry-After']} seconds.`;
  return new OAuthError('temporarily_unavailable', description, 429, headers);
}
