import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { id, nullable, timestampMs } from '../database/columns.js';

/** Types of events that account activity shows. */
export type ActivityEventType =
  | 'account.blocked'
  | 'account.unblocked'
  | 'account.role_changed'
  | 'account.exported'
  | 'account.deleted'
  | 'session.created'
  | 'session.ended'
  | 'sign_in.failed'
  | 'password.changed'
  | 'password.reset'
  | 'password.link_created'
  | 'email.verified'
  | 'email.changed'
  | 'passkey.added'
  | 'passkey.removed'
  | 'passkey.rejected'
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

/** Types of events in the audit log. */
export type AuditEventType =
  | ActivityEventType
  | 'app.old_secret_used'
  | 'keys.rotated'
  | 'keys.retired'
  | 'marker.locked'
  | 'marker.unlocked'
  | 'artist.locked'
  | 'artist.unlocked';

/**
 * A change to the access of an account or an app, or to the lock of an artwork or artist. Rows are
 * insert-only; the events of a deleted account lose their details and IP addresses. Events older
 * than `AUDIT_RETENTION` are deleted.
 */
@Entity('audit_events')
@Index('audit_events_occurred_at', ['occurredAt', 'id'])
@Index('audit_events_account', ['accountId', 'occurredAt', 'id'])
@Index('audit_events_app', ['appId', 'occurredAt', 'id'])
export class AuditEvent {
  @PrimaryColumn(id)
  id!: string;

  /** Part of the key, because PostgreSQL partitions the table by it. */
  @PrimaryColumn(timestampMs)
  occurredAt!: Date;

  @Column({ type: 'varchar', length: 40 })
  type!: AuditEventType;

  @Column(nullable(id))
  accountId!: string | null;

  @Column(nullable(id))
  appId!: string | null;

  @Column(nullable(id))
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
