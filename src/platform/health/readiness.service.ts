import { Injectable } from '@nestjs/common';
import { type HealthCheckResult, HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { TransactionService } from '../database/transaction.service.js';

/** Time in milliseconds in which the database must respond. */
const DATABASE_TIMEOUT_MS = 2000;

/** Checks whether this process can serve requests. */
@Injectable()
export class ReadinessService {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly transactions: TransactionService,
  ) {}

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
    await this.manager.query('SELECT 1').catch(() => {
      throw new Error('The database does not answer.');
    });
  }

  private checkDisk(): void {
    try {
      this.transactions.assertWritable();
    } catch {
      throw new Error('The disk failed; nothing is written until the service is started again.');
    }
  }
}
