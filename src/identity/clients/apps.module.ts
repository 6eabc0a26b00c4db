import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AppStoreModule } from './app-store.module.js';
import { FailedCallsModule } from './failed-calls/failed-calls.module.js';
import { DeveloperAppsController } from './developer/developer-apps.controller.js';
import { DeveloperAppsService } from './developer/developer-apps.service.js';

/** Registered apps (OAuth clients) and the pages of their developers. */
@Module({
  imports: [AppStoreModule, AccountsModule, FailedCallsModule],
  controllers: [DeveloperAppsController],
  providers: [DeveloperAppsService],
  exports: [AppStoreModule],
})
export class AppsModule {}
