import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics.js';

/** What every room may count with. */
@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class MetricsModule {}
