import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ArtistsModule } from '../artists/artists.module.js';
import { isSqlite } from '../../platform/config/database-url.js';
import { Settings } from '../../platform/config/settings.js';
import { ChangesModule } from '../changes/changes.module.js';
import { HistoryModule } from '../history/history.module.js';
import { ArtistArtworksController } from './artist-artworks.controller.js';
import { RecordRenamedArtistListener } from './changes/record-renamed-artist.listener.js';
import { MarkerChangesController, MarkersController } from './markers.controller.js';
import { MarkerChangesService } from './changes/marker-changes.service.js';
import { MarkerImport } from './marker-import.entity.js';
import { ImportProgressStore } from './import-progress.store.js';
import { Marker } from './marker.entity.js';
import { MarkersExportService } from './markers-export.service.js';
import { MarkersImportService } from './markers-import.service.js';
import { MarkersStore } from './markers.store.js';
import { MarkerRelationsStore } from './marker-relations.store.js';
import { PreparedMarkersStore } from './responses/prepared-markers.store.js';
import { MarkerPreparationService } from './responses/marker-preparation.service.js';
import { MarkersService } from './markers.service.js';
import { MarkerRegionsStore } from './marker-regions.store.js';
import { RegionBackfillService } from './region-backfill.service.js';
import { RegionsController } from './regions.controller.js';
import { RegionsModule } from '../regions/regions.module.js';
import { MarkerClustersController } from './clusters/marker-clusters.controller.js';
import { MarkerClustersService } from './clusters/marker-clusters.service.js';
import { MarkerClustersStore } from './clusters/marker-clusters.store.js';
import { SchedulingModule } from '../../platform/scheduling/scheduling.module.js';
import { MarkerIndexStore } from './marker-index.store.js';
import { MarkerSearchService } from './search/marker-search.service.js';
import { PostgresSearchAdapter } from './search/postgres-search.adapter.js';
import { SearchExecutorService } from './search/search-executor.service.js';
import { SEARCH_ADAPTER } from './search/search-adapter.js';
import { SqliteSearchAdapter } from './search/sqlite-search.adapter.js';

/** Markers: lists, reads, search, import, data access. */
@Module({
  imports: [
    TypeOrmModule.forFeature([MarkerImport, Marker]),
    ArtistsModule,
    ChangesModule,
    HistoryModule,
    RegionsModule,
    SchedulingModule,
  ],
  // The paths of clusters, regions and changes come before `markers/:id`.
  controllers: [
    MarkerClustersController,
    RegionsController,
    MarkerChangesController,
    MarkersController,
    ArtistArtworksController,
  ],
  providers: [
    MarkerChangesService,
    RecordRenamedArtistListener,
    MarkersService,
    MarkersStore,
    MarkerRelationsStore,
    PreparedMarkersStore,
    MarkerPreparationService,
    MarkersExportService,
    MarkersImportService,
    ImportProgressStore,
    MarkerRegionsStore,
    MarkerClustersService,
    MarkerClustersStore,
    RegionBackfillService,
    MarkerIndexStore,
    MarkerSearchService,
    SearchExecutorService,
    {
      provide: SEARCH_ADAPTER,
      inject: [Settings],
      useFactory: ({ DATABASE_URL }: Settings) =>
        isSqlite(DATABASE_URL) ? new SqliteSearchAdapter() : new PostgresSearchAdapter(),
    },
  ],
  exports: [
    ImportProgressStore,
    MarkerClustersService,
    MarkersExportService,
    MarkersImportService,
    MarkersService,
    MarkersStore,
    RegionBackfillService,
  ],
})
export class MarkersModule {}
