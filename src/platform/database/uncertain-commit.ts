import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from './database-unavailable.js';
import type { QueryRunner } from 'typeorm';

/** Milliseconds for which the service tries to find out whether a transaction was committed. */
const UNCERTAIN_TIMEOUT_MS = 15_000;
const RETRY_INTERVAL_MS = 100;

/**
 * The connection broke during a COMMIT, so the transaction may be committed or not. It counts as an
 * unavailable database.
 */
export class CommitUncertainError extends Error {
  override readonly name = 'CommitUncertainError';

  /** @param driverError the error of the connection */
  constructor(readonly driverError: unknown) {
    super('The database connection broke during a commit.');
  }
}

/**
 * Repeats an attempt whose commit is in doubt, for 15 seconds, while the database is unavailable.
 * @param attempt finds out by itself whether an earlier attempt was committed, and does not repeat
 * it then
 * @throws CommitUncertainError if it is still unknown whether an attempt was committed
 */
export async function repeatWhileUncertain<T>(attempt: () => Promise<T>): Promise<T> {
  let deadline: number | undefined;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof CommitUncertainError) deadline ??= performance.now() + UNCERTAIN_TIMEOUT_MS;
      if (deadline === undefined || !isDatabaseUnavailable(error)) throw error;
      if (performance.now() >= deadline) throw new CommitUncertainError(error);
    }
    await sleep(RETRY_INTERVAL_MS);
  }
}

/** SQL that is true while a commit of this service has waited for 2 seconds. */
export const IS_COMMIT_WAITING_SQL = `
  EXISTS (
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND state = 'active'
      AND application_name = current_setting('application_name')
      AND query = 'COMMIT' AND query_start < clock_timestamp() - interval '2 seconds'
  )`;

/** A commit waits, so another one would wait too. It counts as an unavailable database. */
export class CommitBlockedError extends Error {
  override readonly name = 'CommitBlockedError';

  constructor() {
    super('A commit waits, for example for a standby.');
  }
}

/**
 * A circuit breaker that limits the sessions of commits that wait for a standby. PostgreSQL keeps
 * such a session even if the client closes the connection, so each retry would leave one more.
 * After a commit in doubt, a transaction of the pool commits only if no commit waits.
 */
export class StandbyCircuitBreaker {
  private isOpen = false;

  /** Starts the checks. Call it after a commit in doubt. */
  open(): void {
    this.isOpen = true;
  }

  /**
   * Checks, if the breaker is open, that no commit waits. Call it before each commit.
   * @param runner has the open transaction
   * @throws CommitBlockedError while a commit waits
   */
  async check(runner: QueryRunner): Promise<void> {
    if (!this.isOpen) return;
    const statement = `SELECT ${IS_COMMIT_WAITING_SQL} AS is_waiting`;
    const [state] = await runner.manager.query<{ is_waiting: boolean }[]>(statement);
    if (state!.is_waiting) throw new CommitBlockedError();
    this.isOpen = false;
  }
}
