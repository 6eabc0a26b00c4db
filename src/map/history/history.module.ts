import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EntityVersion } from './entity-version.entity.js';
import { HistoryService } from './history.service.js';

/** History of artworks and artists. */
@Module({
  imports: [TypeOrmModule.forFeature([EntityVersion])],
  providers: [HistoryService],
  exports: [HistoryService],
})
export class HistoryModule {}
