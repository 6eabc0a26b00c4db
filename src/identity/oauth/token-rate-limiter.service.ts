import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { getClientNetworkPrefix } from '../../platform/http/client-address.js';
import type { Quota, RateLimitPolicy } from '../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiterService, type RateLimitResult } from '../../platform/rate-limiting/rate-limiter.service.js';
import type { App } from '../apps/app.entity.js';

/** Requests with wrong credentials for one app from one network. */
const WRONG_SECRET_POLICY: RateLimitPolicy = { name: 'wrong-secrets', limit: 60, windowSeconds: 60, isSecurity: true };

/** Requests of one app from one network that fail for another reason, such as unknown tokens. */
const FAILED_REQUEST_POLICY: RateLimitPolicy = {
  name: 'failed-requests',
  limit: 600,
  windowSeconds: 60,
  isSecurity: true,
};

/**
 * Limits requests to the token and revoke endpoints. Every count is by app and network, so a stolen
 * client secret cannot exhaust the quota of other users. A request is counted after its outcome is
 * known: failed requests never count against the quota of token responses, and a successful request
 * is never rejected because of failures. Revocations are never rejected.
 *
 * A successful request does not wait for Redis or the database: `peek` reads the state after the
 * last token response of this process.
 */
@Injectable()
export class TokenRateLimiterService {
  constructor(
    private readonly rateLimiter: RateLimiterService,
    private readonly settings: Settings,
  ) {}

  /** Returns the state of the app's quota of token responses. */
  peekTokenQuota(client: App): RateLimitResult {
    return this.rateLimiter.peek(this.buildTokenQuota(client));
  }

  /** Counts a token response in the background. */
  countTokenResponse(client: App): void {
    void this.rateLimiter.consume(this.buildTokenQuota(client));
  }

  /** Counts the revocation of a token that the app does not have. */
  async countUnknownRevocation(client: App): Promise<void> {
    await this.countFailure(client.id, false);
  }

  /**
   * Counts a failed request. Requests with an unknown `client_id` share one counter per network.
   * Failures are not refunded, so a full window stays full, and the attempt costs no write.
   * @param hasWrongCredentials whether the cause is the authentication of the client
   */
  async countFailure(appId: string | undefined, hasWrongCredentials: boolean): Promise<RateLimitResult> {
    const policy = hasWrongCredentials ? WRONG_SECRET_POLICY : FAILED_REQUEST_POLICY;
    const quota = { policy, key: buildKey(appId) };
    const lastSeen = this.rateLimiter.peek(quota);
    return lastSeen.isExceeded ? lastSeen : this.rateLimiter.consume(quota);
  }

  /** Returns the quota of token responses for one app to one network. */
  private buildTokenQuota({ id, tokenRateLimit }: App): Quota {
    const limit = tokenRateLimit ?? this.settings.TOKEN_RATE_LIMIT;
    return { policy: { name: 'tokens', limit, windowSeconds: 60 }, key: buildKey(id) };
  }
}

function buildKey(appId = ''): string {
  return `${appId} ${getClientNetworkPrefix()}`;
}
