import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Settings } from '../config/settings.js';
import { PartitionsService } from '../scheduling/partitions.service.js';
import { RetentionService } from '../scheduling/retention.service.js';
import { SchedulingModule } from '../scheduling/scheduling.module.js';
import { AuditEvent } from './audit-event.entity.js';
import { AuditQueryService, AuditService } from './audit.service.js';
import { type EntityManager, LessThan } from 'typeorm';
import { query } from '../database/query.js';
import type { RetentionPolicy } from '../scheduling/retention-policy.js';

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

/** The partitions of `audit_events`: one for each month. An event has the time of its insert. */
export const AUDIT_PARTITIONS = { table: 'audit_events', column: 'occurred_at', months: 1, reachMs: 0 };

/** Returns the policy that deletes audit events after a time in milliseconds. */
function createAuditRetention(retentionMs: number): RetentionPolicy<AuditEvent> {
  return {
    entity: AuditEvent,
    key: 'id',
    where: (now) => ({ occurredAt: LessThan(new Date(now - retentionMs)) }),
    order: { occurredAt: 'ASC' },
    partitions: { ...AUDIT_PARTITIONS, retentionMs },
    beforeDelete: (tx, now) => allowDeletion(tx, now - retentionMs),
  };
}

/** The triggers of `audit_events` reject the deletion of events since `keep_since`. */
async function allowDeletion(tx: EntityManager, keepSince: number): Promise<void> {
  await query(
    tx,
    'UPDATE audit_retention SET keep_since = CAST(:keepSince AS bigint) WHERE keep_since < CAST(:keepSince AS bigint)',
    { keepSince: String(keepSince) },
  );
}
