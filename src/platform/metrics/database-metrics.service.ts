import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import type { EntityManager } from 'typeorm';
import { TransactionService } from '../database/transaction.service.js';
import { MetricsService } from './metrics.service.js';

/** The gauges of transactions and of database connections. */
@Injectable()
export class DatabaseMetricsService implements OnModuleInit {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly transactions: TransactionService,
    private readonly metrics: MetricsService,
  ) {}

  onModuleInit(): void {
    this.metrics.registerGauge(
      { name: 'street_art_transactions', help: 'Number of transactions that are running or waiting.' },
      (gauge) => gauge.set(this.transactions.pendingCount),
    );
    const pool = this.getPostgresPool();
    if (!pool) return;
    this.metrics.registerGauge(
      {
        name: 'street_art_database_connections',
        help: 'Connections to PostgreSQL that are busy or idle, and requests that are waiting for one.',
        labelNames: ['state'],
      },
      (gauge) => {
        gauge.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
        gauge.set({ state: 'idle' }, pool.idleCount);
        gauge.set({ state: 'waiting' }, pool.waitingCount);
      },
    );
  }

  /** SQLite has no connection pool. */
  private getPostgresPool(): Pool | undefined {
    const { options, driver } = this.manager.connection;
    return options.type === 'postgres' ? (driver as unknown as { master: Pool }).master : undefined;
  }
}
