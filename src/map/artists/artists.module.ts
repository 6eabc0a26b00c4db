import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangesModule } from '../changes/changes.module.js';
import { HistoryModule } from '../history/history.module.js';
import { Artist } from './artist.entity.js';
import { ArtistFilesService } from './artist-files.service.js';
import { ArtistRenamesService } from './artist-renames.service.js';
import { ArtistsStore } from './artists.store.js';
import { ArtistChangesController, ArtistsController } from './artists.controller.js';
import { ArtistsService } from './artists.service.js';
import { ArtistChangesService } from './changes/artist-changes.service.js';

/** Artists: lists, reads, data access. */
@Module({
  imports: [TypeOrmModule.forFeature([Artist]), ChangesModule, HistoryModule],
  // `changes` is not an id.
  controllers: [ArtistChangesController, ArtistsController],
  providers: [ArtistChangesService, ArtistFilesService, ArtistsService, ArtistsStore, ArtistRenamesService],
  exports: [ArtistFilesService, ArtistsService, ArtistsStore, ArtistRenamesService],
})
export class ArtistsModule {}
