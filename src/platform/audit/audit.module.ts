import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '../config/settings.js';
import { PartitionsService } from '../scheduling/partitions.service.js';
import { RetentionService } from '../scheduling/retention.service.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { AuditEvent } from './audit-event.entity.js';
import { AuditQueryService } from './audit-query.service.js';
import { AUDIT_PARTITIONS, createAuditRetention } from './audit-retention.js';
import { AuditService } from './audit.service.js';

/** Records and lists audit events, and deletes them after `AUDIT_RETENTION`. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditEvent]), SchedulingModule],
  providers: [AuditService, AuditQueryService],
  exports: [AuditService, AuditQueryService],
})
export class AuditModule implements OnModuleInit {
  constructor(
    private readonly partitions: PartitionsService,
    private readonly retention: RetentionService,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.partitions.register(AUDIT_PARTITIONS);
    const { AUDIT_RETENTION } = this.settings;
    if (AUDIT_RETENTION !== undefined) this.retention.register(createAuditRetention(AUDIT_RETENTION * 1000));
  }
}
