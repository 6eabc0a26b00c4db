import { Injectable } from '@nestjs/common';
import { InjectThrottlerStorage } from '@nestjs/throttler';
import { Settings } from '../config/settings.js';
import type { Policy } from './policy.js';
import type { Windows } from './windows.js';

/** What is left of a policy for somebody. */
export interface Quota {
  isUsedUp: boolean;
  /** For the answer: how much there was, how much is left, when there is all of it again (draft-ietf-httpapi-ratelimit-headers-10). */
  headers: Record<string, string>;
}

/** Counts what is done against the policies, unless the operator turned them off for a load test. */
@Injectable()
export class RateLimits {
  readonly areOn: boolean;

  constructor(
    @InjectThrottlerStorage() private readonly windows: Windows,
    settings: Settings,
  ) {
    this.areOn = settings.RATE_LIMITS === 'on';
  }

  /** Takes one of what somebody has. */
  async take({ name, most, window }: Policy, who: string): Promise<Quota> {
    if (!this.areOn) return { isUsedUp: false, headers: {} };
    const { totalHits, timeToExpire, isBlocked } = await this.windows.increment(`${name} ${who}`, window * 1000, most);
    const [remaining, reset] = [String(most - totalHits), String(timeToExpire)];
    return {
      isUsedUp: isBlocked,
      headers: {
        'RateLimit-Policy': `"${name}";q=${most};w=${window}`,
        RateLimit: `"${name}";r=${remaining};t=${reset}`,
        'X-RateLimit-Limit': String(most),
        'X-RateLimit-Remaining': remaining,
        'X-RateLimit-Reset': reset,
        ...(isBlocked && { 'Retry-After': reset }),
      },
    };
  }

  /** Gives back one that turned out not to count. */
  giveBack({ name }: Policy, who: string): void {
    this.windows.decrement(`${name} ${who}`);
  }
}
