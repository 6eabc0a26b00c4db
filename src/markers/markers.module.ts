import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ArtistsModule } from '../artists/artists.module.js';
import { isSqlite } from '../config/database-url.js';
import { Settings } from '../config/settings.js';
import { HistoryModule } from '../history/history.module.js';
import { ArtistArtworksController } from './artist-artworks.controller.js';
import { Import } from './import.entity.js';
import { ImportProgress } from './import-progress.js';
import { Marker } from './marker.entity.js';
import { MarkersImport } from './markers-import.js';
import { MarkersStore } from './markers-store.js';
import { MarkersController } from './markers.controller.js';
import { MarkersService } from './markers.service.js';
import { Region } from './region.entity.js';
import { RegionFill } from './region-fill.js';
import { RegionsService } from './regions.service.js';
import { IndexFill } from './search/index-fill.js';
import { MarkerIndex } from './search/marker-index.js';
import { MarkerSearch } from './search/marker-search.js';
import { PostgresSearch } from './search/postgres-search.js';
import { SEARCH_ADAPTER } from './search/search-adapter.js';
import { SqliteSearch } from './search/sqlite-search.js';

@Module({
  imports: [TypeOrmModule.forFeature([Import, Marker, Region]), ArtistsModule, HistoryModule],
  controllers: [MarkersController, ArtistArtworksController],
  providers: [
    MarkersService,
    MarkersStore,
    MarkersImport,
    ImportProgress,
    RegionsService,
    RegionFill,
    MarkerIndex,
    MarkerSearch,
    IndexFill,
    {
      provide: SEARCH_ADAPTER,
      inject: [Settings],
      useFactory: ({ DATABASE_URL }: Settings) => (isSqlite(DATABASE_URL) ? new SqliteSearch() : new PostgresSearch()),
    },
  ],
  exports: [MarkersService, MarkersStore, MarkersImport, ImportProgress, RegionFill, RegionsService],
})
export class MarkersModule {}
