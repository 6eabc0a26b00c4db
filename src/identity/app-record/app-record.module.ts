import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '../../platform/config/settings.js';
import { RetentionService } from '../../platform/scheduling/retention.service.js';
import { SchedulingModule } from '../../platform/scheduling/scheduling.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { PersonalDataRegistry } from '../accounts/personal-data.registry.js';
import { AppAction } from './app-action.entity.js';
import { AppRecordService, createAppRecordRetention } from './app-record.service.js';

declare module '../../platform/audit/audit-event.entity.js' {
  /** The audit events of the record. */
  interface AuditEventTypes {
    'app_action.undone': true;
  }
}

/** What apps did for people. */
@Module({
  imports: [TypeOrmModule.forFeature([AppAction]), AccountsModule, SchedulingModule],
  providers: [AppRecordService],
  exports: [AppRecordService],
})
export class AppRecordModule implements OnModuleInit {
  constructor(
    private readonly record: AppRecordService,
    private readonly personalData: PersonalDataRegistry,
    private readonly retention: RetentionService,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.personalData.register(this.record);
    this.retention.register(createAppRecordRetention(this.settings.APP_RECORD_RETENTION * 1000));
  }
}
