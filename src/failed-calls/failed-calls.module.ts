import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FailedCall } from './failed-call.entity.js';
import { FailedCalls } from './failed-calls.service.js';

@Module({ imports: [TypeOrmModule.forFeature([FailedCall])], providers: [FailedCalls], exports: [FailedCalls] })
export class FailedCallsModule {}
