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
  at(Date.now() + milliseconds);
}

/** Lets the clock stand at a moment, in milliseconds since 1970. */
export function at(moment: number): void {
  jest.useFakeTimers({ now: moment, doNotFake: [...TIMERS] });
}

export function backToNow(): void {
  jest.useRealTimers();
}
