import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FailedCall } from './failed-call.entity.js';
import { FailedCallsService } from './failed-calls.service.js';
import { FailedCallsStore } from './failed-calls.store.js';

/** Records the failed calls of apps. */
@Module({
  imports: [TypeOrmModule.forFeature([FailedCall])],
  providers: [FailedCallsService, FailedCallsStore],
  exports: [FailedCallsService],
})
export class FailedCallsModule {}
