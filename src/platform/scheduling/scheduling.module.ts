import { Module } from '@nestjs/common';
import { KeysModule } from '../../identity/keys/keys.module.js';
import { TaskLeaseService } from './task-lease.service.js';
import { RetentionService } from './retention.service.js';
import { TaskScheduler } from './task-scheduler.service.js';
import { StateMetricsService } from './state-metrics.service.js';

@Module({ imports: [KeysModule], providers: [TaskLeaseService, RetentionService, TaskScheduler, StateMetricsService] })
export class SchedulingModule {}
