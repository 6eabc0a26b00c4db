const SECOND_MS = 1000;
const MIN_RETRY_DELAY_MS = 5 * SECOND_MS;
const MAX_RETRY_DELAY_MS = 15 * 60 * SECOND_MS;

/** Time after which a message is given up. */
export const MAX_WAIT_MS = 24 * 3600 * SECOND_MS;

/**
 * Returns the time of the next attempt. The delay starts at 5 seconds and doubles up to 15 minutes.
 * The last attempt is 24 hours after the message was queued.
 * @param attempts the number of failed attempts
 * @returns undefined if that was the last one
 */
export function getNextAttempt(createdAt: Date, attempts: number, now: Date): Date | undefined {
  const endMs = createdAt.getTime() + MAX_WAIT_MS;
  if (now.getTime() >= endMs) return undefined;
  const delayMs = Math.min(MIN_RETRY_DELAY_MS * 2 ** (attempts - 1), MAX_RETRY_DELAY_MS);
  return new Date(Math.min(now.getTime() + delayMs, endMs));
}
