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
    const remainingMs = STEP_MS - (elapsedMs % STEP_MS);
    await new Promise((resolve) => setTimeout(resolve, remainingMs));
  }
}
