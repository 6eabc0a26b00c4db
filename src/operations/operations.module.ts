import { Module } from '@nestjs/common';
import { CleanUp } from './clean-up.service.js';

@Module({ providers: [CleanUp] })
export class OperationsModule {}
