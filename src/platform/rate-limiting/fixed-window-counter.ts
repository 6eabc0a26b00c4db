import { LRUCache } from 'lru-cache';
import type { RateLimitPolicy } from './rate-limit-policy.js';

/**
 * Limit of windows of one policy in memory. The least recently used window is dropped first; 50,000
 * windows use a few megabytes.
 */
const MAX_WINDOWS = 50_000;

interface Window {
  count: number;
  /** Milliseconds since 1970. */
  endsAt: number;
}

/** The state of a window. */
export interface WindowState {
  count: number;
  secondsUntilReset: number;
  /** Whether the window was full before the attempt. Such an attempt is not counted. */
  isExceeded: boolean;
}

/**
 * Counts the attempts of one policy in fixed windows. The counters are in the memory of one
 * process: no request waits for a database, and each of several processes grants the full quota.
 */
export class FixedWindowCounter {
  private readonly windows = new LRUCache<string, Window>({ max: MAX_WINDOWS });

  constructor(private readonly policy: RateLimitPolicy) {}

  /** Returns the state of a window, without an attempt. */
  read(key: string): WindowState {
    return this.toState(this.getOpenWindow(key) ?? this.createWindow());
  }

  /** Counts an attempt, unless the window is full. */
  increment(key: string): WindowState {
    let window = this.getOpenWindow(key);
    if (!window) this.windows.set(key, (window = this.createWindow()));
    const isExceeded = window.count >= this.policy.limit;
    if (!isExceeded) window.count++;
    return { ...this.toState(window), isExceeded };
  }

  /** Subtracts one attempt from a window. */
  decrement(key: string): void {
    const window = this.windows.get(key);
    if (window && window.count > 0) window.count--;
  }

  private getOpenWindow(key: string): Window | undefined {
    const window = this.windows.get(key);
    return window && window.endsAt > Date.now() ? window : undefined;
  }

  private createWindow(): Window {
    return { count: 0, endsAt: Date.now() + this.policy.windowSeconds * 1000 };
  }

  private toState({ count, endsAt }: Window): WindowState {
    const secondsUntilReset = Math.ceil((endsAt - Date.now()) / 1000);
    return { count, secondsUntilReset, isExceeded: count >= this.policy.limit };
  }
}
