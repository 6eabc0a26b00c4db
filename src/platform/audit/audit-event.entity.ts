import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { id, nullable, timestampMs } from '../database/columns.js';

/** What happens to people and apps. */
export type ActivityEventType =
  | 'account.blocked'
  | 'account.unblocked'
  | 'app.registered'
  | 'app.changed'
  | 'app.secret_rotated'
  | 'app.disabled'
  | 'app.enabled'
  | 'tokens.issued'
  | 'refresh_token.reused'
  | 'authorization.revoked'
  | 'authorization_code.reused'
  | 'consent.given'
  | 'consent.withdrawn';

/** The kinds of happenings that the audit keeps. */
export type AuditEventType = ActivityEventType | 'app.old_secret_used' | 'keys.rotated' | 'keys.retired';

/** Something that happened to a person's or an app's access. Rows are only ever added. */
@Entity('audit_events')
@Index('audit_events_occurred_at', ['occurredAt', 'id'])
@Index('audit_events_account', ['accountId', 'occurredAt', 'id'])
@Index('audit_events_app', ['appId', 'occurredAt', 'id'])
export class AuditEvent {
  @PrimaryColumn(id)
  id!: string;

  @Column(timestampMs)
  occurredAt!: Date;

  @Column({ type: 'varchar', length: 40 })
  type!: AuditEventType;

  @Column(nullable(id))
  accountId!: string | null;

  @Column(nullable(id))
  appId!: string | null;

  @Column(nullable(id))
  authorizationId!: string | null;

  /** A sentence or a few words for the reader; never a secret. */
  @Column({ type: 'text', nullable: true })
  detail!: string | null;

  /** The address that asked for it; none, where a command or the service itself did it. */
  @Column({ type: 'varchar', length: 45, nullable: true })
  ipAddress!: string | null;
}
