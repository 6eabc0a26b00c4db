import { Module } from '@nestjs/common';
import { AccountsModule } from '../../identity/accounts/accounts.module.js';
import { AppsModule } from '../../identity/apps/apps.module.js';
import { ArtistsModule } from '../../map/artists/artists.module.js';
import { CollectionsModule } from '../../map/collections/collections.module.js';
import { EditsModule } from '../../map/edits/edits.module.js';
import { MarkersModule } from '../../map/markers/markers.module.js';
import { RegionsModule } from '../../map/regions/regions.module.js';
import { OAuthModule } from '../../identity/oauth/oauth.module.js';
import { DemoMapService } from './demo-map.service.js';
import { GeneratedMarkersService } from './generated-markers.service.js';
import { DemoService } from './demo.service.js';

/** Demo data. */
@Module({
  imports: [
    AccountsModule,
    AppsModule,
    ArtistsModule,
    CollectionsModule,
    EditsModule,
    MarkersModule,
    OAuthModule,
    RegionsModule,
  ],
  providers: [DemoService, DemoMapService, GeneratedMarkersService],
  exports: [DemoService, GeneratedMarkersService],
})
export class DemoModule {}
