import type { ThrottlerStorage } from '@nestjs/throttler';
import { LRUCache } from 'lru-cache';

/** How many windows are remembered: those of whoever came last, in a few megabytes. */
const MOST_WINDOWS = 50_000;

interface Window {
  count: number;
  /** Milliseconds since 1970. */
  endsAt: number;
}

type Counted = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * Counts what is done in windows of time. Each process counts for itself, so that no call waits for a database because of
 * it; of several processes each grants the whole quota. A window that has ended leaves nothing: what is said of when to come
 * again is true.
 */
export class Windows implements ThrottlerStorage {
  private readonly windows = new LRUCache<string, Window>({ max: MOST_WINDOWS });

  /** @param length milliseconds */
  increment(key: string, length: number, most: number): Promise<Counted> {
    const now = Date.now();
    let window = this.windows.get(key);
    if (!window || window.endsAt <= now) this.windows.set(key, (window = { count: 0, endsAt: now + length }));
    const isBlocked = window.count >= most;
    if (!isBlocked) window.count++;
    const seconds = Math.ceil((window.endsAt - now) / 1000);
    return Promise.resolve({
      totalHits: window.count,
      timeToExpire: seconds,
      isBlocked,
      timeToBlockExpire: isBlocked ? seconds : 0,
    });
  }

  /** Takes back one that turned out not to count. */
  decrement(key: string): void {
    const window = this.windows.get(key);
    if (window && window.count > 0) window.count--;
  }
}
