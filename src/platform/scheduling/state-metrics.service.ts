import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { Gauge, type GaugeConfiguration } from 'prom-client';
import type { EntityManager } from 'typeorm';
import { TransactionService } from '../database/transaction.service.js';
import { MetricsService } from '../metrics/metrics.service.js';
import { RetentionService } from './retention.service.js';

/** Milliseconds for which the number of stale rows is good enough: counting many takes a while. */
const EXPIRED_ROWS_CACHE_MS = 60_000;

/** What the metrics tell of how things stand, asked each time they are read. */
@Injectable()
export class StateMetricsService implements OnModuleInit {
  private expiredRowsCache = { at: -Infinity, rows: 0 };

  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly transactions: TransactionService,
    private readonly retention: RetentionService,
    private readonly metrics: MetricsService,
  ) {}

  onModuleInit(): void {
    this.registerGauge(
      { name: 'street_art_transactions', help: 'Transactions that run, or wait for their turn or for a connection.' },
      (gauge) => gauge.set(this.transactions.pendingCount),
    );
    this.registerGauge(
      {
        name: 'street_art_stale_rows',
        help: 'Rows that the clean-up will delete; counted at most once a minute.',
        aggregator: 'max', // all workers count the same rows
      },
      async (gauge) => gauge.set(await this.countExpiredRows()),
    );
    const { pool } = this;
    if (!pool) return;
    this.registerGauge(
      {
        name: 'street_art_database_connections',
        help: 'Connections to PostgreSQL by state, and requests that wait for one.',
        labelNames: ['state'],
      },
      (gauge) => {
        gauge.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
        gauge.set({ state: 'idle' }, pool.idleCount);
        gauge.set({ state: 'waited_for' }, pool.waitingCount);
      },
    );
  }

  /** @param read sets the gauge, each time it is asked for */
  private registerGauge(gauge: GaugeConfiguration<string>, read: (gauge: Gauge) => void | Promise<void>): void {
    new Gauge({
      ...gauge,
      registers: [this.metrics.registry],
      collect() {
        return read(this);
      },
    });
  }

  /** Where the database is away, what was counted last: all else is asked for then. */
  private async countExpiredRows(): Promise<number> {
    if (Date.now() - this.expiredRowsCache.at <= EXPIRED_ROWS_CACHE_MS) return this.expiredRowsCache.rows;
    const rows = await this.retention.countExpired().catch(() => this.expiredRowsCache.rows);
    this.expiredRowsCache = { at: Date.now(), rows };
    return rows;
  }

  /** PostgreSQL's pool; SQLite has none. */
  private get pool(): Pool | undefined {
    const { options, driver } = this.manager.connection;
    return options.type === 'postgres' ? (driver as unknown as { master: Pool }).master : undefined;
  }
}
