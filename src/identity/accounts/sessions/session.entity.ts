import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { idColumn, json, timestampMs } from '../../../platform/database/columns.js';
import { Account } from '../account.entity.js';

/** Authentication methods of a session that began with a password (RFC 8176). */
export const AMR_PASSWORD = ['pwd'];

/**
 * Authentication methods of a session that began with a passkey (RFC 8176): a key, and the test by
 * the device that the user is present.
 */
export const AMR_PASSKEY = ['hwk', 'user'];

/**
 * Session of a person in one browser. The browser stores a secret, the database only its digest.
 */
@Entity('sessions')
export class Session {
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  /** Public id, by which the person and the operator name the session. */
  @Index('sessions_id', { unique: true })
  @Column({ ...idColumn, default: '' })
  id!: string;

  @Index('sessions_account')
  @Column(idColumn)
  accountId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'sessions_account_fk' })
  account!: Relation<Account>;

  /** When the person authenticated (OpenID Connect `auth_time`). */
  @Column(timestampMs)
  authTime!: Date;

  /** How the person authenticated (OpenID Connect `amr`, RFC 8176). */
  @Column({ ...json, default: '["pwd"]' })
  amr!: string[];

  /** The first 300 characters of the header `User-Agent` at the sign-in. */
  @Column({ type: 'varchar', length: 300, nullable: true })
  userAgent!: string | null;

  /** IP address of the last request that updated `lastSeenAt`. */
  @Column({ type: 'varchar', length: 45, nullable: true })
  ipAddress!: string | null;

  @Column({ ...timestampMs, default: 0 })
  createdAt!: Date;

  /** Time of the last request, to within five minutes. */
  @Column({ ...timestampMs, default: 0 })
  lastSeenAt!: Date;

  @Index('sessions_expires')
  @Column(timestampMs)
  expiresAt!: Date;
}
