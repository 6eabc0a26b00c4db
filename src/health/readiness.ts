import { Injectable } from '@nestjs/common';
import { type HealthCheckResult, HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Transactions } from '../database/transactions.js';

/** Milliseconds in which the database must answer. */
const PATIENCE = 2000;

/** Whether this process can answer requests now. */
@Injectable()
export class Readiness {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly transactions: Transactions,
  ) {}

  /** @throws ServiceUnavailableException with the same of what is not well; not with addresses or words of the database */
  check(): Promise<HealthCheckResult> {
    return this.health.check([
      () =>
        this.indicators
          .check('database')
          .attempt(() => this.askDatabase())
          .withTimeout(PATIENCE),
      () => this.indicators.check('disk').attempt(() => this.askDisk()),
    ]);
  }

  private async askDatabase(): Promise<void> {
    await this.manager.query('SELECT 1').catch(() => {
      throw new Error('The database does not answer.');
    });
  }

  private askDisk(): void {
    try {
      this.transactions.refuseAfterFailure();
    } catch {
      throw new Error('The disk failed; nothing is written until the service is started again.');
    }
  }
}
