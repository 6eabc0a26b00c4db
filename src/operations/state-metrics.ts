import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { Gauge, type GaugeConfiguration } from 'prom-client';
import type { EntityManager } from 'typeorm';
import { Transactions } from '../database/transactions.js';
import { Metrics } from '../metrics/metrics.js';
import { CleanUp } from './clean-up.service.js';

/** Milliseconds for which the number of stale rows is good enough: counting many takes a while. */
const COUNTED = 60_000;

/** What the metrics tell of how things stand, asked each time they are read. */
@Injectable()
export class StateMetrics implements OnModuleInit {
  private counted = { at: -Infinity, rows: 0 };

  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly transactions: Transactions,
    private readonly cleanUp: CleanUp,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.tell(
      { name: 'street_art_transactions', help: 'Transactions that run, or wait for their turn or for a connection.' },
      (gauge) => gauge.set(this.transactions.underWay),
    );
    this.tell(
      {
        name: 'street_art_stale_rows',
        help: 'Rows that the clean-up will delete; counted at most once a minute.',
        aggregator: 'max', // all workers count the same rows
      },
      async (gauge) => gauge.set(await this.staleRows()),
    );
    const { pool } = this;
    if (!pool) return;
    this.tell(
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
  private tell(gauge: GaugeConfiguration<string>, read: (gauge: Gauge) => void | Promise<void>): void {
    new Gauge({
      ...gauge,
      registers: [this.metrics.registry],
      collect() {
        return read(this);
      },
    });
  }

  /** Where the database is away, what was counted last: all else is asked for then. */
  private async staleRows(): Promise<number> {
    if (Date.now() - this.counted.at <= COUNTED) return this.counted.rows;
    const rows = await this.cleanUp.count().catch(() => this.counted.rows);
    this.counted = { at: Date.now(), rows };
    return rows;
  }

  /** PostgreSQL's pool; SQLite has none. */
  private get pool(): Pool | undefined {
    const { options, driver } = this.manager.connection;
    return options.type === 'postgres' ? (driver as unknown as { master: Pool }).master : undefined;
  }
}
