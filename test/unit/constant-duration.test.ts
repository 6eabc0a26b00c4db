import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { withConstantDuration } from '../../src/identity/accounts/password/with-constant-duration.js';
import { restoreClock } from '../support/fake-clock.js';

/** Work that takes so many milliseconds. */
const workFor = async (durationMs: number): Promise<string> => {
  await new Promise((resolve) => setTimeout(resolve, durationMs));
  return 'done';
};

describe('Work with a constant duration', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(restoreClock);

  it.each([
    [0, 250],
    [1, 250],
    [249, 250],
    [251, 500],
    [600, 750],
  ])('of %i ms settles after %i ms', async (durationMs, expectedMs) => {
    const settle = jest.fn();
    void withConstantDuration(() => workFor(durationMs)).then(settle);
    await jest.advanceTimersByTimeAsync(expectedMs - 1);
    expect(settle).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(settle).toHaveBeenCalledWith('done');
  });

  it('that fails settles at the same time', async () => {
    const settle = jest.fn();
    void withConstantDuration(() => Promise.reject(new Error('no such account'))).catch(settle);
    await jest.advanceTimersByTimeAsync(249);
    expect(settle).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(settle).toHaveBeenCalledWith(new Error('no such account'));
  });
});
