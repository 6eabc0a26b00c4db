import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangeFeedService } from './change-feed.service.js';
import { ChangeLog } from './change-log.js';
import { ChangesStore } from './changes.store.js';
import { MapChange, MapChangeCounter, MapChangeEpoch } from './map-change.entity.js';
import { SyncTokensService } from './sync-tokens.service.js';

/** Feeds of changes of markers and artists. */
@Module({
  imports: [TypeOrmModule.forFeature([MapChange, MapChangeCounter, MapChangeEpoch])],
  providers: [ChangeFeedService, ChangeLog, ChangesStore, SyncTokensService],
  exports: [ChangeFeedService, ChangeLog],
})
export class ChangesModule {}
