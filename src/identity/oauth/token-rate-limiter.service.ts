import { Injectable } from '@nestjs/common';
import { getClientNetworkPrefix } from '../../platform/http/network-prefix.js';
import type { RateLimitPolicy } from '../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiter, type RateLimitResult } from '../../platform/rate-limiting/rate-limiter.service.js';
import type { App } from '../apps/app.entity.js';
import type { AppRequest } from './authenticated-client.decorator.js';
import { OAuthError } from './oauth-error.js';

/** Token responses for one app to one network. */
const TOKEN_RESPONSE_POLICY: RateLimitPolicy = { name: 'tokens', limit: 3000, windowSeconds: 60 };

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
  constructor(private readonly rateLimiter: RateLimiter) {}

  /** @throws OAuthError 429 if the app got too many token responses */
  assertTokenQuota(client: App): void {
    const { isExceeded, headers } = this.rateLimiter.peek({ policy: TOKEN_RESPONSE_POLICY, key: buildKey(client.id) });
    if (isExceeded) throw createOAuthRateLimitedError('Too many requests from this app.', headers);
  }

  /** Counts a token response in the background. */
  countTokenResponse(client: App): void {
    void this.rateLimiter.consume({ policy: TOKEN_RESPONSE_POLICY, key: buildKey(client.id) });
  }

  /** Counts the revocation of a token that the app does not have. */
  async countUnknownRevocation(client: App): Promise<void> {
    await this.countFailure(FAILED_REQUEST_POLICY, buildKey(client.id));
  }

  /**
   * Counts a failed request, unless the service is the cause. Requests with an unknown `client_id`
   * share one counter per network.
   * @returns the error of the response: the same one, or a 429 above the limit
   */
  async consumeFailure({ client }: AppRequest, error: OAuthError): Promise<OAuthError> {
    if (error.status === 429 || error.status >= 500) return error;
    const policy = error.code === 'invalid_client' ? WRONG_SECRET_POLICY : FAILED_REQUEST_POLICY;
    const { isExceeded, headers } = await this.countFailure(policy, buildKey(client?.id ?? error.diagnostics.appId));
    if (!isExceeded) return error;
    return createOAuthRateLimitedError('Too many failed requests.', headers);
  }

  /** Failures are not refunded, so a full window stays full, and the attempt costs no write. */
  private async countFailure(policy: RateLimitPolicy, key: string): Promise<RateLimitResult> {
    const lastSeen = this.rateLimiter.peek({ policy, key });
    return lastSeen.isExceeded ? lastSeen : this.rateLimiter.consume({ policy, key });
  }
}

function buildKey(appId = ''): string {
  return `${appId} ${getClientNetworkPrefix()}`;
}

/** Creates the 429 of a limit. */
export function createOAuthRateLimitedError(reason: string, headers: Record<string, string>): OAuthError {
  const description = `${reason} Try again in ${headers['Retry-After']} seconds.`;
  return new OAuthError('temporarily_unavailable', description, 429, headers);
}
