import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LessThan } from 'typeorm';
import { RetentionService } from '../scheduling/retention.service.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { IdempotentResponse } from './idempotent-response.entity.js';
import { IdempotentWritesService } from './idempotent-writes.service.js';

/** Responses to requests with an `Idempotency-Key`. */
@Module({
  imports: [TypeOrmModule.forFeature([IdempotentResponse]), SchedulingModule],
  providers: [IdempotentWritesService],
  exports: [IdempotentWritesService],
})
export class IdempotencyModule implements OnModuleInit {
  constructor(private readonly retention: RetentionService) {}

  onModuleInit(): void {
    this.retention.register({
      entity: IdempotentResponse,
      key: 'digest',
      where: (now) => ({ expiresAt: LessThan(new Date(now)) }),
      order: { expiresAt: 'ASC' },
    });
  }
}
