import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { FixedWindowCounter } from './fixed-window-counter.js';
import type { RateLimitPolicy } from './rate-limit-policy.js';

/** The outcome of consuming one request of a quota. */
export interface RateLimitResult {
  isExceeded: boolean;
  /**
   * Response headers: quota, remainder and reset (draft-ietf-httpapi-ratelimit-headers-10),
   * `Retry-After` if exceeded.
   */
  headers: Record<string, string>;
}

/** Counts requests against policies. With `RATE_LIMITS=off` every request passes. */
@Injectable()
export class RateLimiter {
  private readonly counter = new FixedWindowCounter();
  private readonly isEnabled: boolean;

  constructor(settings: Settings) {
    this.isEnabled = settings.RATE_LIMITS === 'on';
  }

  /** Consumes one request of the quota of `key`. */
  consume({ name, limit, windowSeconds }: RateLimitPolicy, key: string): RateLimitResult {
    if (!this.isEnabled) return { isExceeded: false, headers: {} };
    const { count, secondsUntilReset, isExceeded } = this.counter.increment(
      `${name} ${key}`,
      windowSeconds * 1000,
      limit,
    );
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

  /** Returns one consumed request to the quota of `key`. */
  refund({ name }: RateLimitPolicy, key: string): void {
    this.counter.decrement(`${name} ${key}`);
  }
}
