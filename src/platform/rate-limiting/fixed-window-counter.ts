import { LRUCache } from 'lru-cache';

/**
 * Limit of windows in memory. The least recently used window is dropped first; 50,000 windows use a
 * few megabytes.
 */
const MAX_WINDOWS = 50_000;

interface Window {
  count: number;
  /** Milliseconds since 1970. */
  endsAt: number;
}

/** The state of a window after an attempt. */
export interface WindowState {
  count: number;
  secondsUntilReset: number;
  /** Whether the attempt exceeded the limit. An attempt over the limit is not counted. */
  isExceeded: boolean;
}

/**
 * Counts attempts in fixed windows. The counters are in the memory of one process: no request waits
 * for a database, and each of several processes grants the full quota.
 */
export class FixedWindowCounter {
  private readonly windows = new LRUCache<string, Window>({ max: MAX_WINDOWS });

  /** Counts an attempt, unless the window is full. */
  increment(key: string, windowMs: number, limit: number): WindowState {
    const now = Date.now();
    let window = this.windows.get(key);
    if (!window || window.endsAt <= now) this.windows.set(key, (window = { count: 0, endsAt: now + windowMs }));
    const isExceeded = window.count >= limit;
    if (!isExceeded) window.count++;
    return { count: window.count, secondsUntilReset: Math.ceil((window.endsAt - now) / 1000), isExceeded };
  }

  /** Subtracts one attempt from a window. */
  decrement(key: string): void {
    const window = this.windows.get(key);
    if (window && window.count > 0) window.count--;
  }
}
