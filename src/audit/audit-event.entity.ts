import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { id, moment } from '../database/columns.js';

/** What happens to people and apps. */
export type PersonalType =
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
export type AuditType = PersonalType | 'app.old_secret_used' | 'keys.rotated' | 'keys.retired';

/** Something that happened to a person's or an app's access. Rows are only ever added. */
@Entity('audit_events')
@Index('audit_events_at', ['at', 'id'])
@Index('audit_events_account', ['accountId', 'at', 'id'])
@Index('audit_events_app', ['appId', 'at', 'id'])
export class AuditEvent {
  @PrimaryColumn(id)
  id!: string;

  @Column(moment)
  at!: Date;

  @Column({ type: 'varchar', length: 40 })
  type!: AuditType;

  @Column({ ...id, nullable: true })
  accountId!: string | null;

  @Column({ ...id, nullable: true })
  appId!: string | null;

  @Column({ ...id, nullable: true })
  authorizationId!: string | null;

  /** A sentence or a few words for the reader; never a secret. */
  @Column({ type: 'text', nullable: true })
  detail!: string | null;

  /** The address that asked for it; none, where a command or the service itself did it. */
  @Column({ type: 'varchar', length: 45, nullable: true })
  fromAddress!: string | null;
}
