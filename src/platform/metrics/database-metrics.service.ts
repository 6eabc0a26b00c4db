import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { ReservedConnections } from '../database/reserved-connections.js';
import { TransactionService } from '../database/transaction.service.js';
import { MetricsService } from './metrics.service.js';

/** The gauges of transactions and of database connections. */
@Injectable()
export class DatabaseMetricsService implements OnModuleInit {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly transactions: TransactionService,
    private readonly reserved: ReservedConnections,
    private readonly metrics: MetricsService,
  ) {}

  onModuleInit(): void {
    this.metrics.registerGauge(
      { name: 'street_art_transactions', help: 'Number of transactions that are running or waiting.' },
      (gauge) => gauge.set(this.transactions.pendingCount + this.reserved.pendingCount),
    );
    const { pool: reservedPool } = this.reserved;
    if (!reservedPool) return; // SQLite has no connection pool
    const pools = { shared: getPool(this.manager.connection), reserved: getPool(reservedPool) };
    this.metrics.registerGauge(
      {
        name: 'street_art_database_connections',
        help: 'Connections to PostgreSQL that are busy or idle, and requests that are waiting for one.',
        labelNames: ['pool', 'state'],
      },
      (gauge) => {
        for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
          gauge.set({ pool, state: 'busy' }, totalCount - idleCount);
          gauge.set({ pool, state: 'idle' }, idleCount);
          gauge.set({ pool, state: 'waiting' }, waitingCount);
        }
      },
    );
  }
}

function getPool({ driver }: DataSource): Pool {
  return (driver as unknown as { master: Pool }).master;
}
