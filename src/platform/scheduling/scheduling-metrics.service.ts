import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { MetricsService } from '../metrics/metrics.service.js';
import { ClockService } from './clock.service.js';
import { RetentionService } from './retention.service.js';

/** Milliseconds for which a count is reused, because counting many rows is slow. */
const CACHE_MS = 60_000;

/** The gauges of the clock, and of rows that wait for the next deletion. */
@Injectable()
export class SchedulingMetricsService implements OnModuleInit {
  private countedAt = -Infinity;

  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly clock: ClockService,
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
        gauge.set(await this.retention.countExpired(await this.clock.readTime()));
      },
    );
    if (this.manager.connection.options.type !== 'postgres') return; // SQLite uses the clock of this process
    this.metrics.registerGauge(
      {
        name: 'clock_offset_seconds',
        help: 'Seconds by which the clock is ahead of the clock of the database. Compared once a minute.',
      },
      (gauge) => gauge.set(this.clock.offsetMs / 1000),
    );
  }
}
