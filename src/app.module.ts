import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AccountsModule } from './accounts/accounts.module.js';
import { AppsModule } from './apps/apps.module.js';
import { ActivityModule } from './activity/activity.module.js';
import { AppFilter } from './app.filter.js';
import { ArtistsModule } from './artists/artists.module.js';
import { AuditModule } from './audit/audit.module.js';
import { CollectionsModule } from './collections/collections.module.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DemoModule } from './demo/demo.module.js';
import { EditsModule } from './edits/edits.module.js';
import { FailedCallsModule } from './failed-calls/failed-calls.module.js';
import { HealthModule } from './health/health.module.js';
import { HomeModule } from './home/home.module.js';
import { MarkersModule } from './markers/markers.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { OAuthModule } from './oauth/oauth.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { ReferenceModule } from './reference/reference.module.js';
import { ScopesModule } from './scopes/scopes.module.js';
import { ViewsModule } from './views/views.module.js';

@Module({
  imports: [
    ConfigModule,
    DatabaseModule,
    AuditModule,
    MetricsModule,
    FailedCallsModule,
    AccountsModule,
    AppsModule,
    ScopesModule,
    OAuthModule,
    ArtistsModule,
    MarkersModule,
    CollectionsModule,
    EditsModule,
    ActivityModule,
    OperationsModule,
    HealthModule,
    DemoModule,
    ReferenceModule,
    HomeModule,
    ViewsModule,
  ],
  providers: [{ provide: APP_FILTER, useClass: AppFilter }],
})
export class AppModule {}
