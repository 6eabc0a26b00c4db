import { jest } from '@jest/globals';

export const SECOND = 1000;
export const DAY = 24 * 3600 * SECOND;

/** All that tells or keeps time but the clock itself, which is what the tests move. */
const TIMERS = [
  'setImmediate',
  'clearImmediate',
  'nextTick',
  'queueMicrotask',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'performance',
  'hrtime',
] as const;

/** Lets a time pass without waiting for it. */
export function later(milliseconds: number): void {
  jest.useFakeTimers({ now: Date.now() + milliseconds, doNotFake: [...TIMERS] });
}

export function backToNow(): void {
  jest.useRealTimers();
}
