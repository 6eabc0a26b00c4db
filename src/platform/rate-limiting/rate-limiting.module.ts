import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LessThan } from 'typeorm';
import { MetricsModule } from '../metrics/metrics.module.js';
import { RetentionService } from '../scheduling/retention.service.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { DatabaseWindowsService } from './database-windows.service.js';
import { RateLimitWindow } from './rate-limit-window.entity.js';
import { RateLimiterService } from './rate-limiter.service.js';
import { RedisWindowsService } from './redis-windows.service.js';

/** Provides the rate limiter. */
@Module({
  imports: [TypeOrmModule.forFeature([RateLimitWindow]), MetricsModule, SchedulingModule],
  providers: [DatabaseWindowsService, RateLimiterService, RedisWindowsService],
  exports: [RateLimiterService],
})
export class RateLimitingModule implements OnModuleInit {
  constructor(private readonly retention: RetentionService) {}

  onModuleInit(): void {
    this.retention.register({
      entity: RateLimitWindow,
      key: 'digest',
      where: (now) => ({ endsAt: LessThan(new Date(now)) }),
      order: { endsAt: 'ASC' },
    });
  }
}
