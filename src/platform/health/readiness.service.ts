import { Injectable } from '@nestjs/common';
import { type HealthCheckResult, HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { InjectEntityManager } from '@nestjs/typeorm';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { getUnavailableCause } from '../database/database-unavailable.js';
import { WriteProbeService } from './write-probe.js';

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
    ]);
  }

  private async checkDatabase(): Promise<void> {
    const response = this.isPostgres ? this.writeProbe.run() : this.manager.query('SELECT 1');
    await response.catch(() => {
      throw new Error(`The database does not ${this.isPostgres ? 'accept writes' : 'answer'}.`);
    });
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
