import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from './database-unavailable.js';

/** Milliseconds for which the service tries to find out whether a transaction was committed. */
const IN_DOUBT_TIMEOUT_MS = 15_000;
const RETRY_INTERVAL_MS = 100;

/**
 * The connection broke during a COMMIT, so the transaction may be committed or not. It counts as an
 * unavailable database.
 */
export class CommitInDoubtError extends Error {
  override readonly name = 'CommitInDoubtError';

  /** @param driverError the error of the connection */
  constructor(readonly driverError: unknown) {
    super('The database connection broke during a commit.');
  }
}

/**
 * Repeats an attempt whose commit is in doubt, for 15 seconds, while the database is unavailable.
 * @param attempt finds out by itself whether an earlier attempt was committed, and does not repeat
 * it then
 * @throws CommitInDoubtError if it is still unknown whether an attempt was committed
 */
export async function repeatWhileInDoubt<T>(attempt: () => Promise<T>): Promise<T> {
  let deadline: number | undefined;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof CommitInDoubtError) deadline ??= performance.now() + IN_DOUBT_TIMEOUT_MS;
      if (deadline === undefined || !isDatabaseUnavailable(error)) throw error;
      if (performance.now() >= deadline) throw new CommitInDoubtError(error);
    }
    await sleep(RETRY_INTERVAL_MS);
  }
}
