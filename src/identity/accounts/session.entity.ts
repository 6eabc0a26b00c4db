import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { id, timestampMs } from '../../platform/database/columns.js';
import { Account } from './account.entity.js';

/**
 * Session of a person in one browser. The browser stores a secret, the database only its digest.
 */
@Entity('sessions')
export class Session {
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Index('sessions_account')
  @Column(id)
  accountId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'sessions_account_fk' })
  account!: Relation<Account>;

  /** When the person authenticated (OpenID Connect `auth_time`). */
  @Column(timestampMs)
  authTime!: Date;

  @Index('sessions_expires')
  @Column(timestampMs)
  expiresAt!: Date;
}
