import { jest } from '@jest/globals';

export const SECOND_MS = 1000;
export const DAY_MS = 24 * 3600 * SECOND_MS;

/** All that tells or keeps time but the clock itself, which is what the tests move. */
const UNFAKED_TIMERS = [
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
export function advanceClock(milliseconds: number): void {
  setClock(Date.now() + milliseconds);
}

/** Lets the clock stand at a moment, in milliseconds since 1970. */
export function setClock(moment: number): void {
  jest.useFakeTimers({ now: moment, doNotFake: [...UNFAKED_TIMERS] });
}

export function restoreClock(): void {
  jest.useRealTimers();
}
