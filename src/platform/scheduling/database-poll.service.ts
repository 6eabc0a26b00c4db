import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { isDatabaseOutage } from '../database/database-unavailable.js';
import { query } from '../database/query.js';
import { EventLogger } from '../logging/event-logger.js';

/** Milliseconds between two reads: a change counts in every process within 2 s. */
export const POLL_INTERVAL_MS = 1_000;

/** Rows that each process keeps in memory as they are in the database. */
export interface PolledRows<Row> {
  /** Names the rows in the log. */
  name: string;
  columns: (keyof Row & string)[];
  /** SQL after `FROM`. `:now` is the time in milliseconds since 1970. */
  from: string;
  /** Replaces the rows in memory. */
  receive: (rows: Row[]) => void | Promise<void>;
}

interface Registration extends PolledRows<never> {
  /** Number of the newest read whose rows were received. */
  receivedRead: number;
  /** Whether a statement that reads only these rows has no response yet. */
  isReadAlone: boolean;
}

/**
 * Reads the registered rows of all modules with one statement each second. While the database is
 * unavailable, the rows in memory stay. If the statement fails or is slow, for example because one
 * table is locked, each module's rows are read alone.
 */
@Injectable()
export class DatabasePollService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new EventLogger(DatabasePollService.name, { database_poll_failed: 'warn' });
  private readonly registrations: Registration[] = [];
  private readonly openPolls = new Set<Promise<void>>();
  private readCount = 0;
  private isPolling = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(@InjectEntityManager() private readonly manager: EntityManager) {}

  /** Adds rows. Modules call this while they are initialized, so that the first read has them. */
  register<Row>(rows: PolledRows<Row>): void {
    this.registrations.push({ ...(rows as PolledRows<never>), receivedRead: 0, isReadAlone: false });
  }

  /** Reads the rows before the first request. @throws Error if the database cannot be read */
  async onApplicationBootstrap(): Promise<void> {
    await this.read(this.registrations);
    this.start();
  }

  /** Starts the timer, or changes its interval. */
  start(intervalMs = POLL_INTERVAL_MS): void {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.pollOnTimer(), intervalMs).unref();
  }

  /** Stops the timer and waits for open reads, so that the connection can be closed. */
  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.openPolls);
  }

  /** Reads the rows now. A process calls this after its own writes. */
  pollNow(): Promise<void> {
    return this.track(this.poll());
  }

  private pollOnTimer(): void {
    if (!this.isPolling) {
      this.isPolling = true;
      void this.pollNow().finally(() => (this.isPolling = false));
      return;
    }
    for (const one of this.registrations) if (!one.isReadAlone) void this.track(this.pollAlone(one));
  }

  private async poll(): Promise<void> {
    try {
      await this.read(this.registrations);
    } catch (error) {
      if (isDatabaseOutage(error)) this.logFailure(error);
      else await Promise.all(this.registrations.map((one) => this.pollAlone(one)));
    }
  }

  private async pollAlone(one: Registration): Promise<void> {
    one.isReadAlone = true;
    await this.read([one])
      .catch((error: unknown) => this.logFailure(error, one.name))
      .finally(() => (one.isReadAlone = false));
  }

  private async read(registrations: readonly Registration[]): Promise<void> {
    if (registrations.length === 0) return;
    const current = [...registrations];
    const read = ++this.readCount;
    const sql = this.buildSql(current);
    const [result] = await query<Record<string, string | null>>(this.manager, sql, { now: Date.now() });
    await Promise.all(
      current.map((one, index) => this.receive(one, JSON.parse(result![`rows_${index}`] ?? '[]') as never[], read)),
    );
  }

  /** Ignores rows that are older than the rows of another read. */
  private async receive(one: Registration, rows: never[], read: number): Promise<void> {
    if (read < one.receivedRead) return;
    one.receivedRead = read;
    try {
      await one.receive(rows);
    } catch (error) {
      this.logFailure(error, one.name);
    }
  }

  /** Returns a statement with one row, whose columns are JSON arrays. */
  private buildSql(registrations: Registration[]): string {
    const isPostgres = this.manager.connection.options.type === 'postgres';
    const [toArray, toObject] = isPostgres ? ['json_agg', 'json_build_object'] : ['json_group_array', 'json_object'];
    const selected = registrations.map(({ columns, from }, index) => {
      const members = columns.map((column) => `'${column}', ${column}`);
      return `(SELECT CAST(${toArray}(${toObject}(${members.join(', ')})) AS text) FROM ${from}) AS rows_${index}`;
    });
    return `SELECT ${selected.join(',\n  ')}`;
  }

  private track(poll: Promise<void>): Promise<void> {
    const tracked = poll.finally(() => this.openPolls.delete(tracked));
    this.openPolls.add(tracked);
    return tracked;
  }

  private logFailure(error: unknown, rows?: string): void {
    const message = 'The service cannot read changes of other processes; the known state stays in use.';
    this.logger.log('database_poll_failed', message, { error, ...(rows !== undefined && { rows }) });
  }
}
