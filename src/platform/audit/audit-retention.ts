import { type EntityManager, LessThan } from 'typeorm';
import { query } from '../database/query.js';
import type { RetentionPolicy } from '../scheduling/retention-policy.js';
import { AuditEvent } from './audit-event.entity.js';

/** The partitions of `audit_events`: one for each month. An event has the time of its insert. */
export const AUDIT_PARTITIONS = { table: 'audit_events', column: 'occurred_at', months: 1, reachMs: 0 };

/** Returns the policy that deletes audit events after a time in milliseconds. */
export function createAuditRetention(retentionMs: number): RetentionPolicy<AuditEvent> {
  return {
    entity: AuditEvent,
    key: 'id',
    where: (now) => ({ occurredAt: LessThan(new Date(now - retentionMs)) }),
    order: { occurredAt: 'ASC' },
    partitions: { ...AUDIT_PARTITIONS, retentionMs },
    beforeDelete: (tx) => allowDeletion(tx, Date.now() - retentionMs),
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
