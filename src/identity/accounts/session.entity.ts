import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { id, timestampMs } from '../../platform/database/columns.js';
import { Account } from './account.entity.js';

/** That a person is signed in, in one browser. The browser holds a secret of which only the digest is kept here. */
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

  /** When the person proved who they are (OpenID Connect `auth_time`). */
  @Column(timestampMs)
  authTime!: Date;

  @Index('sessions_expires')
  @Column(timestampMs)
  expiresAt!: Date;
}
