import { setTimeout } from 'node:timers/promises';

/** Steps of the duration of a response, in milliseconds. The work normally fits into the first. */
const STEP_MS = 250;

/**
 * Runs work and settles at the next full step since its start. So the time of the response does not
 * tell whether an account exists.
 */
export async function withConstantDuration<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    const elapsedMs = performance.now() - startedAt;
    await setTimeout(Math.ceil(elapsedMs / STEP_MS) * STEP_MS - elapsedMs);
  }
}
