import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { idColumn, nullableColumn, timestampMs } from '../database/columns.js';

/** The types of audit events, as keys. Each module declares its own in this interface. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface AuditEventTypes {}

export type AuditEventType = keyof AuditEventTypes;

/**
 * A security-relevant change. Rows are insert-only; the events of a deleted account lose their
 * details and IP addresses. Events older than `AUDIT_RETENTION` are deleted.
 */
@Entity('audit_events')
@Index('audit_events_occurred_at', ['occurredAt', 'id'])
@Index('audit_events_account', ['accountId', 'occurredAt', 'id'])
@Index('audit_events_app', ['appId', 'occurredAt', 'id'])
export class AuditEvent {
  @PrimaryColumn(idColumn)
  id!: string;

  /** Part of the key, because PostgreSQL partitions the table by it. */
  @PrimaryColumn(timestampMs)
  occurredAt!: Date;

  @Column({ type: 'varchar', length: 40 })
  type!: AuditEventType;

  @Column(nullableColumn(idColumn))
  accountId!: string | null;

  @Column(nullableColumn(idColumn))
  appId!: string | null;

  @Column(nullableColumn(idColumn))
  authorizationId!: string | null;

  /** A short text for the reader; never a secret. */
  @Column({ type: 'text', nullable: true })
  detail!: string | null;

  /** The IP address of the client; null if a command or a scheduled task caused the event. */
  @Column({ type: 'varchar', length: 45, nullable: true })
  ipAddress!: string | null;

  /** Whether the operator caused the event with a command. */
  @Column({ type: 'boolean', default: false })
  byOperator!: boolean;
}
