import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EntityVersion } from './entity-version.entity.js';
import { History } from './history.service.js';

@Module({ imports: [TypeOrmModule.forFeature([EntityVersion])], providers: [History], exports: [History] })
export class HistoryModule {}
