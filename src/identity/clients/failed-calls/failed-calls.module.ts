import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FailedCall } from './failed-call.entity.js';
import { FailedCallsService } from './failed-calls.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([FailedCall])],
  providers: [FailedCallsService],
  exports: [FailedCallsService],
})
export class FailedCallsModule {}
