import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { AuditModule } from './audit/audit.module.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { HealthController } from './health/health.controller.js';
import { ReadinessService, WriteProbeService } from './health/readiness.service.js';
import { MailDeliveryService } from './mail/mail-delivery.service.js';
import { MailModule } from './mail/mail.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { SchedulingMetricsService } from './scheduling/scheduling-metrics.service.js';
import { SchedulingModule } from './scheduling/scheduling.module.js';
import { getTracer } from './tracing/tracing.js';
import { ViewsModule } from './views/views.module.js';

/**
 * The platform as the service runs it: with health checks, metrics, traces and the delivery of
 * e-mail. Commands import only the modules that they need, and do not load the libraries of these.
 */
@Module({
  imports: [
    ConfigModule,
    DatabaseModule,
    AuditModule,
    MetricsModule,
    SchedulingModule,
    MailModule,
    ViewsModule,
    TerminusModule.forRoot({ logger: false }),
  ],
  controllers: [HealthController],
  providers: [ReadinessService, WriteProbeService, SchedulingMetricsService, MailDeliveryService],
})
export class PlatformModule implements OnApplicationShutdown {
  /** Exports the last spans after the last response. */
  async onApplicationShutdown(): Promise<void> {
    await getTracer()?.flush();
  }
}
