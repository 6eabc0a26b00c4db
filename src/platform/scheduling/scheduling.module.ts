import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventLogger } from '../logging/event-logger.js';
import { ClockService } from './clock.service.js';
import { DatabasePollService } from './database-poll.service.js';
import { PartitionRetentionService, PartitionsService } from './partitions.service.js';
import { RetentionService } from './retention.service.js';
import { ScheduledTask } from './scheduled-task.entity.js';
import { TaskLeaseService, TaskSchedulerService } from './task-scheduler.service.js';

/** Interval between two deletions of expired rows, and two checks for missing partitions. */
const INTERVAL_MS = 3600_000;

/**
 * Runs periodic tasks, creates partitions, deletes expired rows and reads rows that change rarely.
 * Other modules register their tasks, tables, retention policies and rows.
 */
@Module({
  imports: [TypeOrmModule.forFeature([ScheduledTask])],
  providers: [
    ClockService,
    DatabasePollService,
    TaskLeaseService,
    PartitionRetentionService,
    PartitionsService,
    RetentionService,
    TaskSchedulerService,
  ],
  exports: [ClockService, DatabasePollService, PartitionsService, RetentionService, TaskSchedulerService],
})
export class SchedulingModule implements OnModuleInit {
  private readonly logger = new EventLogger(SchedulingModule.name);

  constructor(
    private readonly scheduler: TaskSchedulerService,
    private readonly clock: ClockService,
    private readonly retention: RetentionService,
    private readonly partitions: PartitionsService,
  ) {}

  onModuleInit(): void {
    this.scheduler.register({
      name: 'partitions',
      intervalMs: INTERVAL_MS,
      run: () => this.partitions.createAhead(),
    });
    this.scheduler.register({
      name: 'clean-up',
      intervalMs: INTERVAL_MS,
      run: async (signal) => {
        const startedAt = performance.now();
        const count = await this.retention.deleteExpired(await this.clock.startCleanUp(), { signal });
        const duration_ms = Math.round(performance.now() - startedAt);
        if (count > 0) this.logger.log('expired_rows_deleted', 'Expired rows were deleted.', { count, duration_ms });
      },
    });
  }
}
