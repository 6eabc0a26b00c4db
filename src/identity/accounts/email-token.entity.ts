import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { idColumn, nullableColumn, timestampMs } from '../../platform/database/columns.js';
import { Account } from './account.entity.js';

/** The changes that a link can make. */
export type EmailTokenPurpose = 'verify-email' | 'reset-password' | 'take-back-email';

/**
 * A link that changes an account once. The link contains a secret, the database only its digest.
 */
@Entity('account_links')
export class EmailToken {
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column({ type: 'varchar', length: 20 })
  purpose!: EmailTokenPurpose;

  @Index('account_links_account')
  @Column(idColumn)
  accountId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'account_links_account_fk' })
  account!: Relation<Account>;

  /** The address that the link was sent to; null if a command made the link. */
  @Column({ type: 'varchar', length: 254, nullable: true })
  email!: string | null;

  @Column(timestampMs)
  createdAt!: Date;

  @Index('account_links_expires')
  @Column(timestampMs)
  expiresAt!: Date;

  /** When the link was used, or ended by another change of the account. */
  @Column(nullableColumn(timestampMs))
  usedAt!: Date | null;
}
