import { Module, type OnModuleInit } from '@nestjs/common';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { PicturesModule } from '../../platform/pictures/pictures.module.js';
import { AccountDataRegistry } from '../accounts/account-data.registry.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AccountAppsRegistry } from '../accounts/account-apps.registry.js';
import { AppStoreModule } from './app-store.module.js';
import { AppsDataService } from './apps-data.service.js';
import { AppIconsController } from './icons/app-icons.controller.js';
import { AppsStore } from './apps.store.js';
import { FailedCallsModule } from './failed-calls/failed-calls.module.js';
import { AppIconController } from './developer/app-icon.controller.js';
import { DeveloperAppsController } from './developer/developer-apps.controller.js';
import { DeveloperAppsService } from './developer/developer-apps.service.js';

/** Registered apps (OAuth clients) and the pages of their developers. */
@Module({
  imports: [AppStoreModule, AccountsModule, AuditModule, FailedCallsModule, PicturesModule],
  controllers: [DeveloperAppsController, AppIconController, AppIconsController],
  providers: [AppsDataService, DeveloperAppsService],
  exports: [AppStoreModule],
})
export class AppsModule implements OnModuleInit {
  constructor(
    private readonly accountData: AccountDataRegistry,
    private readonly appsData: AppsDataService,
    private readonly accountApps: AccountAppsRegistry,
    private readonly apps: AppsStore,
  ) {}

  onModuleInit(): void {
    this.accountData.register(this.appsData);
    this.accountApps.registerFinder(this.apps);
  }
}
