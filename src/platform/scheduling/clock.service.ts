import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { query } from '../database/query.js';
import { TransactionService } from '../database/transaction.service.js';
import { DomainError } from '../errors/domain-error.js';
import { EventLogger } from '../logging/event-logger.js';

/** Milliseconds by which the clock can differ from the database's before the log has a warning. */
const MAX_OFFSET_MS = 5_000;

/** Milliseconds of difference from which the process is not ready and deletes nothing by age. */
const MAX_TRUSTED_OFFSET_MS = 60_000;

const CHECK_INTERVAL_MS = 60_000;

/** On SQLite, the clock can be earlier than the newest row by this time. */
const MAX_BACKWARD_MS = 3600_000;

/** On SQLite, the clock can be later than the last clean-up by this time: 40 days. */
const MAX_FORWARD_MS = 40 * 24 * 3600_000;

/** Times in milliseconds since 1970. */
interface CleanUpTimes {
  /** Time of the last clean-up; 0 before the first. */
  last: number;
  /** Time of the newest row. */
  newest: number;
  /** Time of the newest row when the operator last confirmed the clock. */
  confirmed: number;
}

const CLEAN_UP_TIMES_SQL = `
  SELECT cleaned_up_at AS last, confirmed_row_at AS confirmed,
    MAX(cleaned_up_at, COALESCE((SELECT MAX(occurred_at) FROM audit_events), 0)) AS newest
  FROM clean_ups`;

/**
 * Finds out whether the clock is right enough to delete rows by their age. On PostgreSQL, it
 * compares the clock with that of the database. On SQLite, both are the same clock, so it compares
 * the clock with the times of rows.
 */
@Injectable()
export class ClockService implements OnModuleDestroy {
  private readonly logger = new EventLogger(ClockService.name, { clock_differs: 'warn' });
  private readonly isPostgres: boolean;
  private timer: NodeJS.Timeout | undefined;
  private latestOffsetMs = 0;

  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly transactions: TransactionService,
  ) {
    this.isPostgres = manager.connection.options.type === 'postgres';
  }

  /** Milliseconds by which the clock is ahead of the database's, as last compared. */
  get offsetMs(): number {
    return this.latestOffsetMs;
  }

  /** Whether the clock differed too much from the database's when they were last compared. */
  get isWrong(): boolean {
    return Math.abs(this.latestOffsetMs) > MAX_TRUSTED_OFFSET_MS;
  }

  /** Compares the clocks now and once a minute. While the database is away, the result stays. */
  async start(): Promise<void> {
    if (!this.isPostgres) return;
    await this.compare();
    this.timer = setInterval(() => void this.compare().catch(() => undefined), CHECK_INTERVAL_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Returns the time in milliseconds since 1970, on PostgreSQL by the clock of the database. */
  async readTime(): Promise<number> {
    return this.isPostgres ? this.compare() : Date.now();
  }

  /**
   * Returns the time by which rows are old enough to be deleted. On SQLite, stores it as the time
   * of the last clean-up.
   * @param isConfirmed the operator says that the clock is right, which is used on SQLite
   * @throws DomainError `clock_doubtful` if the clock is probably wrong
   */
  async startCleanUp(isConfirmed = false): Promise<number> {
    const now = await this.readTime();
    if (this.isWrong) throw createDoubtfulError(this.describeOffset());
    if (!this.isPostgres) await this.transactions.run((tx) => recordCleanUp(tx, now, isConfirmed));
    return now;
  }

  /** Returns a sentence with the difference. */
  describeOffset(): string {
    const seconds = Math.round(this.latestOffsetMs / 1000);
    return `The clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the clock of the database.`;
  }

  /**
   * Measures the difference of the clocks. A slow response causes no difference.
   * @returns the time of the database
   */
  private async compare(): Promise<number> {
    const before = Date.now();
    const [row] = await query<{ now: string }>(
      this.manager,
      'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000) AS now',
    );
    const [now, after] = [Number(row!.now), Date.now()];
    const wasDifferent = this.isDifferent;
    this.latestOffsetMs = Math.max(before - now, 0) + Math.min(after - now, 0);
    if (this.isDifferent && !wasDifferent) {
      this.logger.log('clock_differs', this.describeOffset(), { offset_ms: this.latestOffsetMs });
    }
    return now;
  }

  private get isDifferent(): boolean {
    return Math.abs(this.latestOffsetMs) > MAX_OFFSET_MS;
  }
}

async function recordCleanUp(tx: EntityManager, now: number, isConfirmed: boolean): Promise<void> {
  const [times] = await query<CleanUpTimes>(tx, CLEAN_UP_TIMES_SQL);
  const { last, newest, confirmed } = times!;
  if (!isConfirmed) {
    if (newest > confirmed && newest - now > MAX_BACKWARD_MS) {
      throw createDoubtfulError(`The clock is earlier than the newest row, of ${formatTime(newest)}. ${CONFIRM}`);
    }
    if (last > 0 && now - last > MAX_FORWARD_MS) {
      throw createDoubtfulError(`The last clean-up was more than 40 days ago, at ${formatTime(last)}. ${CONFIRM}`);
    }
  }
  await query(tx, 'UPDATE clean_ups SET cleaned_up_at = :now, confirmed_row_at = :confirmed', {
    now,
    confirmed: isConfirmed ? newest : confirmed,
  });
}

const CONFIRM = 'If the clock is right, run tokens purge --confirm-clock.';

function formatTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

function createDoubtfulError(reason: string): DomainError {
  return new DomainError('conflict', 'clock_doubtful', `No row was deleted, because the clock may be wrong. ${reason}`);
}
