import { jest } from '@jest/globals';

export const SECOND_MS = 1000;
export const DAY_MS = 24 * 3600 * SECOND_MS;

/** Timers that stay real: the tests move only the clock. */
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

/** Moves the clock forward. */
export function advanceClock(milliseconds: number): void {
  setClock(Date.now() + milliseconds);
}

/** Stops the clock at a time, in milliseconds since 1970. */
export function setClock(timeMs: number): void {
  jest.useFakeTimers({ now: timeMs, doNotFake: [...UNFAKED_TIMERS] });
}

/** Stops the clock that measures durations, so that work takes no time. */
export function stopDurationClock(): void {
  jest.useFakeTimers({ doNotFake: [...UNFAKED_TIMERS.filter((name) => name !== 'performance'), 'Date'] });
}

/** Moves the stopped clock of durations forward. */
export function advanceDurationClock(milliseconds: number): void {
  jest.advanceTimersByTime(milliseconds);
}

/** Restores the real clock. */
export function restoreClock(): void {
  jest.useRealTimers();
}
