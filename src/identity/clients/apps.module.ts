import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { FailedCallsModule } from './failed-calls/failed-calls.module.js';
import { App } from './app.entity.js';
import { AppsService } from './apps.service.js';
import { AppsStore } from './apps.store.js';
import { DeveloperAppsController } from './developer/developer-apps.controller.js';
import { DeveloperAppsService } from './developer/developer-apps.service.js';

/** Registered apps (OAuth clients) and the pages of their developers. */
@Module({
  imports: [TypeOrmModule.forFeature([App]), AccountsModule, AuditModule, FailedCallsModule],
  controllers: [DeveloperAppsController],
  providers: [AppsService, AppsStore, DeveloperAppsService],
  exports: [AppsService, AppsStore],
})
export class AppsModule {}
