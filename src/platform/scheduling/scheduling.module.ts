import { Logger, Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
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
  private readonly logger = new Logger(SchedulingModule.name);

  constructor(
    private readonly scheduler: TaskScheduler,
    private readonly retention: RetentionService,
  ) {}

  onModuleInit(): void {
    this.scheduler.register({
      name: 'clean-up',
      intervalMs: RETENTION_INTERVAL_MS,
      run: async (signal) => {
        const deleted = await this.retention.deleteExpired({ signal });
        if (deleted > 0) this.logger.log(`Deleted ${deleted} rows that no longer matter.`);
      },
    });
  }
}
