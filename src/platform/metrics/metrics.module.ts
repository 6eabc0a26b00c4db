import { Global, Module } from '@nestjs/common';
import { DatabaseMetricsService } from './database-metrics.service.js';
import { MetricsService } from './metrics.service.js';

/** Provides the metrics to all modules. */
@Global()
@Module({ providers: [MetricsService, DatabaseMetricsService], exports: [MetricsService] })
export class MetricsModule {}
