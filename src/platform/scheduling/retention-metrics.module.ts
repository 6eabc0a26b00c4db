import { Module } from '@nestjs/common';
import { ExpiredRowMetricsService } from './expired-row-metrics.service.js';
import { SchedulingModule } from './scheduling.module.js';

/**
 * Adds the metrics of expired rows. Commands do not import this module, so that they do not load
 * the metrics library.
 */
@Module({ imports: [SchedulingModule], providers: [ExpiredRowMetricsService] })
export class RetentionMetricsModule {}
