import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MetricsService } from '../metrics/metrics.service.js';
import { RetentionService } from './retention.service.js';

/** Time for which a count is reused, because counting many rows is slow. */
const CACHE_MS = 60_000;

/** The gauge of rows that wait for the next deletion. */
@Injectable()
export class ExpiredRowMetricsService implements OnModuleInit {
  private cache = { countedAt: -Infinity, rows: 0 };

  constructor(
    private readonly retention: RetentionService,
    private readonly metrics: MetricsService,
  ) {}

  onModuleInit(): void {
    this.metrics.registerGauge(
      {
        name: 'street_art_expired_rows',
        help: 'Number of expired rows that wait for the hourly deletion. Counted at most once a minute.',
        aggregator: 'max', // all workers count the same rows
      },
      async (gauge) => gauge.set(await this.countExpiredRows()),
    );
  }

  /**
   * Returns the previous count if the database is unavailable, so that the other metrics can still
   * be read.
   */
  private async countExpiredRows(): Promise<number> {
    if (Date.now() - this.cache.countedAt <= CACHE_MS) return this.cache.rows;
    const rows = await this.retention.countExpired().catch(() => this.cache.rows);
    this.cache = { countedAt: Date.now(), rows };
    return rows;
  }
}
