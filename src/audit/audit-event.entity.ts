import { Column, Entity, PrimaryColumn } from 'typeorm';
import { id, moment } from '../database/columns.js';

/** The kinds of happenings that the audit keeps. */
export type AuditType =
  | 'account.blocked'
  | 'account.unblocked'
  | 'app.secret_rotated'
  | 'app.disabled'
  | 'app.enabled'
  | 'tokens.issued'
  | 'refresh_token.reused'
  | 'authorization.revoked'
  | 'authorization_code.reused'
  | 'consent.given'
  | 'consent.withdrawn'
  | 'app.registered'
  | 'app.changed'
  | 'keys.rotated'
  | 'keys.retired';

/** Something that happened to a person's or an app's access. Rows are only ever added. */
@Entity('audit_events')
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
}
