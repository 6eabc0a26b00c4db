import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ApiReferenceModule } from './app/api-reference/api-reference.module.js';
import { ConnectedAppsModule } from './app/connected-apps/connected-apps.module.js';
import { DemoModule } from './app/demo/demo.module.js';
import { GlobalExceptionFilter } from './app/errors/global-exception.filter.js';
import { McpModule } from './app/mcp/mcp.module.js';
import { ModerationModule } from './app/moderation/moderation.module.js';
import { HomeModule } from './app/home/home.module.js';
import { ArtistsModule } from './map/artists/artists.module.js';
import { CollectionsModule } from './map/collections/collections.module.js';
import { EditsModule } from './map/edits/edits.module.js';
import { MarkersModule } from './map/markers/markers.module.js';
import { AccountsModule } from './identity/accounts/accounts.module.js';
import { AppsModule } from './identity/apps/apps.module.js';
import { OAuthModule } from './identity/oauth/oauth.module.js';
import { OpenIdModule } from './identity/openid/openid.module.js';
import { ScopesModule } from './identity/scopes/scopes.module.js';
import { PlatformModule } from './platform/platform.module.js';

/** The whole service: the platform, the modules of the product, the API reference and the demo. */
@Module({
  imports: [
    PlatformModule,
    // Express tests the routes in the order of the modules: those with the most requests are first.
    MarkersModule,
    OAuthModule,
    ArtistsModule,
    CollectionsModule,
    EditsModule,
    AccountsModule,
    AppsModule,
    ScopesModule,
    OpenIdModule,
    ConnectedAppsModule,
    ModerationModule,
    HomeModule,
    ApiReferenceModule,
    McpModule,
    DemoModule,
  ],
  providers: [{ provide: APP_FILTER, useClass: GlobalExceptionFilter }],
})
export class AppModule {}
