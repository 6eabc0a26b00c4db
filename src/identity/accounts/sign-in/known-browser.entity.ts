import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { idColumn, timestampMs } from '../../../platform/database/columns.js';
import { Account } from '../account.entity.js';

/** A browser in which an account signed in before. Several accounts can know one browser. */
@Entity('known_browsers')
export class KnownBrowser {
  /** SHA-256 of the secret in the cookie and of the account id. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Index('known_browsers_account')
  @Column(idColumn)
  accountId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'known_browsers_account_fk' })
  account!: Relation<Account>;

  @Column(timestampMs)
  createdAt!: Date;

  @Index('known_browsers_last_used')
  @Column(timestampMs)
  lastUsedAt!: Date;
}
