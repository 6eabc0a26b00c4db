import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EntityVersion } from './entity-version.entity.js';
import { HistoryService } from './history.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([EntityVersion])],
  providers: [HistoryService],
  exports: [HistoryService],
})
export class HistoryModule {}
