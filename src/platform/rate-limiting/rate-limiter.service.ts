import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { FixedWindowCounter, type WindowState } from './fixed-window-counter.js';
import type { RateLimitPolicy } from './rate-limit-policy.js';

/** The state of a quota. */
export interface RateLimitResult {
  isExceeded: boolean;
  /**
   * Response headers: quota, remainder and reset (draft-ietf-httpapi-ratelimit-headers-10),
   * `Retry-After` if exceeded.
   */
  headers: Record<string, string>;
}

const UNLIMITED: RateLimitResult = { isExceeded: false, headers: {} };

/**
 * Counts requests against policies. Each policy has its own windows, so the requests of one policy
 * cannot drop the windows of another. With `RATE_LIMITS=off` every request passes.
 */
@Injectable()
export class RateLimiter {
  private readonly counters = new Map<RateLimitPolicy, FixedWindowCounter>();
  private readonly isEnabled: boolean;

  constructor(settings: Settings) {
    this.isEnabled = settings.RATE_LIMITS === 'on';
  }

  /** Returns the state of the quota of `key`, without a request. */
  check(policy: RateLimitPolicy, key: string): RateLimitResult {
    return this.isEnabled ? toResult(policy, this.getCounter(policy).read(key)) : UNLIMITED;
  }

  /** Consumes one request of the quota of `key`. */
  consume(policy: RateLimitPolicy, key: string): RateLimitResult {
    return this.isEnabled ? toResult(policy, this.getCounter(policy).increment(key)) : UNLIMITED;
  }

  /** Returns one consumed request to the quota of `key`. */
  refund(policy: RateLimitPolicy, key: string): void {
    this.getCounter(policy).decrement(key);
  }

  private getCounter(policy: RateLimitPolicy): FixedWindowCounter {
    let counter = this.counters.get(policy);
    if (!counter) this.counters.set(policy, (counter = new FixedWindowCounter(policy)));
    return counter;
  }
}

function toResult(
  { name, limit, windowSeconds }: RateLimitPolicy,
  { count, secondsUntilReset, isExceeded }: WindowState,
): RateLimitResult {
  const [remaining, reset] = [String(limit - count), String(secondsUntilReset)];
  return {
    isExceeded,
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
