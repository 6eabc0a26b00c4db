import { Injectable } from '@nestjs/common';
import { type HealthCheckResult, HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { InjectEntityManager } from '@nestjs/typeorm';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { getUnavailableCause } from '../database/database-unavailable.js';
import { CommitBlockedError, IS_COMMIT_WAITING_SQL } from '../database/uncertain-commit.js';
import { ClockService } from '../scheduling/clock.service.js';
import { ReservedConnections } from '../database/reserved-connections.js';
import { TransactionService } from '../database/transaction.service.js';

/** Milliseconds for which a commit shows that writes succeed, so that few probes are needed. */
const SUCCESS_LIFETIME_MS = 1_000;

/** Finds a server without writes, and commits of this service that wait. */
const POSTGRES_STATE_SQL = `
  SELECT current_setting('transaction_read_only') AS read_only, ${IS_COMMIT_WAITING_SQL} AS is_commit_waiting`;

/** Writes to the log of PostgreSQL and to no table. */
const POSTGRES_WRITE_SQL = `SELECT pg_logical_emit_message(true, 'street_art_readiness', '')`;

/**
 * Extends a file by about 100 kB, which a full disk rejects. Other writes can succeed in the free
 * space of their files. The table has a name of its own, because several processes can run this.
 */
const createDiskProbe = (): string[] => {
  const table = `"readiness_${randomBytes(8).toString('hex')}"`;
  return [
    `CREATE TABLE ${table} AS SELECT repeat('x', 1000) AS filler FROM generate_series(1, 100)`,
    `DROP TABLE ${table}`,
  ];
};

/** Writes the first page of the SQLite file. The service does not use this number. */
const SQLITE_WRITE_SQL = 'PRAGMA user_version = 0';

/**
 * Finds out whether a write can succeed now, by a commit that changes no data. After a write of
 * PostgreSQL failed for space, it also extends a file.
 */
@Injectable()
export class WriteProbeService {
  private succeededAt = -Infinity;
  private running: Promise<void> | undefined;

  /** Uses the reserved connections, so that slow requests do not make the process unready. */
  constructor(
    private readonly reserved: ReservedConnections,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Resolves when a write was committed. Calls share one commit, so that at most one waits.
   * @throws Error if the database cannot write, or if commits wait
   */
  async run(): Promise<void> {
    if (performance.now() - this.succeededAt < SUCCESS_LIFETIME_MS && !this.isDiskFull) return;
    this.running ??= this.write().finally(() => (this.running = undefined));
    await this.running;
  }

  private async write(): Promise<void> {
    await this.reserved.transactions.run(async (tx) => {
      if (tx.connection.options.type === 'postgres') {
        if (this.isDiskFull) for (const sql of createDiskProbe()) await tx.query(sql);
        await writeToPostgres(tx);
      } else await tx.query(SQLITE_WRITE_SQL);
    });
    this.transactions.isDiskFull = this.reserved.transactions.isDiskFull = false;
    this.succeededAt = performance.now();
  }

  private get isDiskFull(): boolean {
    return this.transactions.isDiskFull || this.reserved.transactions.isDiskFull;
  }
}

/**
 * A commit that waits, for example for a standby, keeps its connection to the server for as long,
 * even if the service closes it. So this transaction writes nothing while another one waits.
 */
async function writeToPostgres(tx: EntityManager): Promise<void> {
  const [state] = await tx.query<{ read_only: string; is_commit_waiting: boolean }[]>(POSTGRES_STATE_SQL);
  if (state!.read_only === 'on') throw new Error('The server is read-only or in recovery.');
  if (state!.is_commit_waiting) throw new CommitBlockedError();
  await tx.query(POSTGRES_WRITE_SQL);
}

/** Time in milliseconds in which the database must respond. */
const DATABASE_TIMEOUT_MS = 2000;

/** Checks whether this process can serve requests, which includes that a write succeeds. */
@Injectable()
export class ReadinessService {
  private readonly isPostgres: boolean;

  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly writeProbe: WriteProbeService,
    private readonly clock: ClockService,
  ) {
    this.isPostgres = manager.connection.options.type === 'postgres';
  }

  /**
   * @throws ServiceUnavailableException with the failed checks, without addresses or messages of
   * the database
   */
  check(): Promise<HealthCheckResult> {
    return this.health.check([
      () =>
        this.indicators
          .check('database')
          .attempt(() => this.checkDatabase())
          .withTimeout(DATABASE_TIMEOUT_MS),
      () => this.indicators.check('disk').attempt(() => this.checkDisk()),
      () => this.indicators.check('clock').attempt(() => this.checkClock()),
    ]);
  }

  private async checkDatabase(): Promise<void> {
    const response = this.isPostgres ? this.writeProbe.run() : this.manager.query('SELECT 1');
    await response.catch(() => {
      throw new Error(`The database does not ${this.isPostgres ? 'accept writes' : 'answer'}.`);
    });
  }

  private checkClock(): void {
    if (this.clock.isWrong) throw new Error(this.clock.describeOffset());
  }

  /** SQLite runs one write at a time, so a write that waits for others is no failure. */
  private async checkDisk(): Promise<void> {
    if (this.isPostgres) return;
    const write = this.writeProbe.run().catch((error: unknown) => {
      if (getUnavailableCause(error) !== 'contention') throw new Error('The disk does not accept writes.');
    });
    await Promise.race([write, sleep(DATABASE_TIMEOUT_MS, undefined, { ref: false })]);
  }
}
