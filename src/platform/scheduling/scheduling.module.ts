import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventLogger } from '../logging/event-logger.js';
import { RetentionService } from './retention.service.js';
import { ScheduledTask } from './scheduled-task.entity.js';
import { TaskLeaseService } from './task-lease.service.js';
import { TaskScheduler } from './task-scheduler.service.js';

/** Interval between two deletions of expired rows. */
const RETENTION_INTERVAL_MS = 3600_000;

/**
 * Runs periodic tasks and deletes expired rows. Other modules register their tasks and retention
 * policies.
 */
@Module({
  imports: [TypeOrmModule.forFeature([ScheduledTask])],
  providers: [TaskLeaseService, RetentionService, TaskScheduler],
  exports: [RetentionService, TaskScheduler],
})
export class SchedulingModule implements OnModuleInit {
  private readonly logger = new EventLogger(SchedulingModule.name);

  constructor(
    private readonly scheduler: TaskScheduler,
    private readonly retention: RetentionService,
  ) {}

  onModuleInit(): void {
    this.scheduler.register({
      name: 'clean-up',
      intervalMs: RETENTION_INTERVAL_MS,
      run: async (signal) => {
        const startedAt = performance.now();
        const count = await this.retention.deleteExpired({ signal });
        const duration_ms = Math.round(performance.now() - startedAt);
        if (count > 0) this.logger.log('expired_rows_deleted', 'Expired rows were deleted.', { count, duration_ms });
      },
    });
  }
}
