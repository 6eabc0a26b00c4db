import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { App } from './app.entity.js';
import { AppsService } from './apps.service.js';
import { AppsStore } from './apps.store.js';

/** Apps without the pages of their developers: the commands load nothing more. */
@Module({
  imports: [TypeOrmModule.forFeature([App]), AuditModule],
  providers: [AppsService, AppsStore],
  exports: [AppsService, AppsStore],
})
export class AppStoreModule {}
