import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { DatabaseWindowsService } from './database-windows.service.js';
import type { AttemptResult, FixedWindow, Quota, RateLimitPolicy } from './rate-limit-policy.js';
import { ProcessWindows } from './process-windows.js';
import { RedisWindowsService } from './redis-windows.service.js';

/** The state of quotas. */
export interface RateLimitResult<Policy extends RateLimitPolicy = RateLimitPolicy> {
  isExceeded: boolean;
  /** The policy of the exhausted quota, or of the first one. */
  policy: Policy;
  /**
   * Response headers of this policy: quota, remainder and reset
   * (draft-ietf-httpapi-ratelimit-headers-10), `Retry-After` if exceeded.
   */
  headers: Record<string, string>;
}

/**
 * Counts requests against policies: in Redis if it is in use. Otherwise it counts security limits
 * in the database, and the others in this process. With `RATE_LIMITS=off` every request passes.
 */
@Injectable()
export class RateLimiterService {
  private readonly processWindows = new ProcessWindows();
  private readonly isEnabled: boolean;

  constructor(
    private readonly redisWindows: RedisWindowsService,
    private readonly databaseWindows: DatabaseWindowsService,
    settings: Settings,
  ) {
    this.isEnabled = settings.RATE_LIMITS === 'on';
  }

  /**
   * Returns the state of a quota that this process saw last, without a request. It does not wait
   * for Redis or the database.
   */
  peek<Policy extends RateLimitPolicy>(quota: Quota<Policy>): RateLimitResult<Policy> {
    if (!this.isEnabled) return toUnlimitedResult(quota);
    const window = this.processWindows.read(quota);
    return toResult(quota.policy, window, window.count >= quota.policy.limit);
  }

  /** Consumes one request of every quota, or of none of them if one is exhausted. */
  async consume<Policy extends RateLimitPolicy>(...quotas: Quota<Policy>[]): Promise<RateLimitResult<Policy>> {
    if (!this.isEnabled) return toUnlimitedResult(quotas[0]!);
    const { isCounted, windows } = await this.increment(quotas);
    const exhausted = quotas.findIndex(({ policy }, index) => windows[index]!.count >= policy.limit);
    const index = isCounted ? 0 : exhausted;
    return toResult(quotas[index]!.policy, windows[index]!, !isCounted);
  }

  /**
   * Whether a value is used for the first time within a window, in all processes. With
   * `RATE_LIMITS=off` it counts too.
   */
  async useOnce(name: string, value: string, windowSeconds: number): Promise<boolean> {
    const policy = { name, limit: 1, windowSeconds, isSecurity: true } as const;
    return (await this.increment([{ policy, key: value }])).isCounted;
  }

  /** Returns one consumed request to every quota. */
  async refund(...quotas: Quota[]): Promise<void> {
    if (!this.isEnabled) return;
    this.processWindows.decrement(quotas);
    if (await this.redisWindows.decrement(quotas)) return;
    if (areSecurity(quotas)) await this.databaseWindows.decrement(quotas);
  }

  private async increment(quotas: Quota[]): Promise<AttemptResult> {
    const shared =
      (await this.redisWindows.increment(quotas)) ??
      (areSecurity(quotas) ? await this.databaseWindows.increment(quotas) : undefined);
    if (!shared) return this.processWindows.increment(quotas);
    this.processWindows.store(quotas, shared.windows);
    return shared;
  }
}

function areSecurity(quotas: Quota[]): boolean {
  return quotas.some(({ policy }) => policy.isSecurity);
}

function toUnlimitedResult<Policy extends RateLimitPolicy>({ policy }: Quota<Policy>): RateLimitResult<Policy> {
  return { isExceeded: false, policy, headers: {} };
}

function toResult<Policy extends RateLimitPolicy>(
  policy: Policy,
  { count, endsAt }: FixedWindow,
  isExceeded: boolean,
): RateLimitResult<Policy> {
  const { name, limit, windowSeconds } = policy;
  const remaining = String(Math.max(0, limit - count)); // the limit may have been higher
  const reset = String(Math.max(1, Math.ceil((endsAt - Date.now()) / 1000)));
  return {
    isExceeded,
    policy,
    headers: {
      'RateLimit-Policy': `"${name}";q=${limit};w=${windowSeconds}`,
      RateLimit: `"${name}";r=${remaining};t=${reset}`,
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': remaining,
      'X-RateLimit-Reset': reset,
      ...(isExceeded && { 'Retry-After': reset }),
    },
  };
}
