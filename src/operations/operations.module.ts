import { Module } from '@nestjs/common';
import { Chores } from './chores.service.js';
import { CleanUpSchedule } from './clean-up-schedule.js';
import { CleanUp } from './clean-up.service.js';

@Module({ providers: [Chores, CleanUp, CleanUpSchedule] })
export class OperationsModule {}
