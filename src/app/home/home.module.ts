import { type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { AccountsModule } from '../../identity/accounts/accounts.module.js';
import { AppsModule } from '../../identity/apps/apps.module.js';
import { OAuthModule } from '../../identity/oauth/oauth.module.js';
import { ScopesModule } from '../../identity/scopes/scopes.module.js';
import { ArtistsModule } from '../../map/artists/artists.module.js';
import { CollectionsModule } from '../../map/collections/collections.module.js';
import { EditsModule } from '../../map/edits/edits.module.js';
import { MarkersModule } from '../../map/markers/markers.module.js';
import { RegionsModule } from '../../map/regions/regions.module.js';
import { ViewsModule } from '../../platform/views/views.module.js';
import { AttentionService } from './attention.service.js';
import { HomeController, MapPictureController } from './home.controller.js';
import { MapSummaryService } from './map-summary.service.js';
import { RoleController } from './role.controller.js';
import { PublicAppsService } from './public-apps.service.js';
import { PublicExportController } from './public-export.controller.js';
import { PublicExportService } from './public-export.service.js';
import { PublicPagesController, redirectBrowserToCollection } from './public-pages.controller.js';
import { SecurityTextController } from './security-text.controller.js';

/** The home page, listed apps, public collections, the own role, and files for everyone. */
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
    ScopesModule,
    ViewsModule,
  ],
  controllers: [
    HomeController,
    MapPictureController,
    PublicExportController,
    PublicPagesController,
    RoleController,
    SecurityTextController,
  ],
  providers: [AttentionService, MapSummaryService, PublicAppsService, PublicExportService],
})
export class HomeModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(redirectBrowserToCollection).forRoutes({ path: 'api/collections/:id', method: RequestMethod.GET });
  }
}
