import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { AccountStoreModule } from '../accounts/account-store.module.js';
import { DisabledAppsModule } from '../scopes/disabled-apps.module.js';
import { AppNameBackfillService } from './app-names/app-name-backfill.service.js';
import { App } from './app.entity.js';
import { AppsService } from './apps.service.js';
import { AppsStore } from './apps.store.js';
import { AppIconsService } from './icons/app-icons.service.js';
import { StoredAppIcon } from './icons/stored-app-icon.entity.js';
import { DisabledAppsLoader } from './disabled-apps-loader.service.js';

/** Apps without the pages of their developers: the commands load nothing more. */
@Module({
  imports: [TypeOrmModule.forFeature([App, StoredAppIcon]), AccountStoreModule, AuditModule, DisabledAppsModule],
  providers: [AppIconsService, AppNameBackfillService, AppsService, AppsStore, DisabledAppsLoader],
  exports: [AppIconsService, AppsService, AppsStore, DisabledAppsLoader],
})
export class AppStoreModule {}
