import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { App } from './app.entity.js';
import { AppsService } from './apps.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([App]), AuditModule],
  providers: [AppsService],
  exports: [AppsService],
})
export class AppsModule {}
