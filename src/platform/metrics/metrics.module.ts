import { Global, Module } from '@nestjs/common';
import { MetricsService } from './metrics.service.js';

/** What every room may count with. */
@Global()
@Module({ providers: [MetricsService], exports: [MetricsService] })
export class MetricsModule {}
