import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { Chores } from './chores.service.js';
import { CleanUp } from './clean-up.service.js';
import { HourlyChores } from './hourly-chores.js';
import { StateMetrics } from './state-metrics.js';

@Module({ imports: [KeysModule], providers: [Chores, CleanUp, HourlyChores, StateMetrics] })
export class OperationsModule {}
