import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MetricsService } from '../metrics/metrics.service.js';
import { RetentionService } from './retention.service.js';

/** Milliseconds for which a count is reused, because counting many rows is slow. */
const CACHE_MS = 60_000;

/** The gauge of rows that wait for the next deletion. */
@Injectable()
export class ExpiredRowMetricsService implements OnModuleInit {
  private countedAt = -Infinity;

  constructor(
    private readonly retention: RetentionService,
    private readonly metrics: MetricsService,
  ) {}

  onModuleInit(): void {
    this.metrics.registerGauge(
      {
        name: 'street_art_expired_rows',
        help: 'Number of expired rows that wait for the hourly deletion. Counted at most once a minute.',
      },
      async (gauge) => {
        if (Date.now() - this.countedAt <= CACHE_MS) return;
        this.countedAt = Date.now();
        gauge.set(await this.retention.countExpired());
      },
    );
  }
}
