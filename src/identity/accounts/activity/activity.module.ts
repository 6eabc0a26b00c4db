import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts.module.js';
import { AuditModule } from '../../../platform/audit/audit.module.js';
import { ActivityController } from './activity.controller.js';
import { ActivityService } from './activity.service.js';

/** The page with the audit events of the person's account. */
@Module({
  imports: [AccountsModule, AuditModule],
  controllers: [ActivityController],
  providers: [ActivityService],
})
export class ActivityModule {}
