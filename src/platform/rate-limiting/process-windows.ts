import { LRUCache } from 'lru-cache';
import { type AttemptResult, countAttempt, createWindow, type FixedWindow, type Quota } from './rate-limit-policy.js';

/**
 * Limit of windows of one policy in memory. The least recently used window is dropped first; 50,000
 * windows use a few megabytes.
 */
const MAX_WINDOWS = 50_000;

/**
 * Counts attempts in the memory of this process. For quotas that are counted elsewhere, it keeps
 * the last state that this process saw. Each policy has its own windows, so the requests of one
 * policy cannot drop the windows of another.
 */
export class ProcessWindows {
  /** By the name of the policy. */
  private readonly windows = new Map<string, LRUCache<string, FixedWindow>>();

  /** Returns the window of a quota: a new one if none is open. */
  read(quota: Quota): FixedWindow {
    return this.findOpen(quota) ?? createWindow(quota);
  }

  increment(quotas: Quota[]): AttemptResult {
    const windows = quotas.map((quota) => this.read(quota));
    const result = countAttempt(quotas, windows);
    if (result.isCounted) this.store(quotas, windows);
    return result;
  }

  /** Takes one attempt back. */
  decrement(quotas: Quota[]): void {
    for (const quota of quotas) {
      const window = this.findOpen(quota);
      if (window && window.count > 0) window.count--;
    }
  }

  /** Replaces the windows of quotas by those of another store. */
  store(quotas: Quota[], windows: FixedWindow[]): void {
    quotas.forEach(({ policy, key }, index) => this.getWindows(policy).set(key, windows[index]));
  }

  private findOpen({ policy, key }: Quota): FixedWindow | undefined {
    const window = this.getWindows(policy).get(key);
    return window && window.endsAt > Date.now() ? window : undefined;
  }

  private getWindows({ name }: Quota['policy']): LRUCache<string, FixedWindow> {
    let windows = this.windows.get(name);
    if (!windows) this.windows.set(name, (windows = new LRUCache({ max: MAX_WINDOWS })));
    return windows;
  }
}
