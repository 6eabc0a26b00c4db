import { Module } from '@nestjs/common';
import { KeysModule } from '../keys/keys.module.js';
import { Chores } from './chores.service.js';
import { CleanUp } from './clean-up.service.js';
import { HourlyChores } from './hourly-chores.js';

@Module({ imports: [KeysModule], providers: [Chores, CleanUp, HourlyChores] })
export class OperationsModule {}
