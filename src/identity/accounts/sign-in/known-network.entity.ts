import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { id, timestampMs } from '../../../platform/database/columns.js';
import { Account } from '../account.entity.js';

/** A network from which an account signed in before. */
@Entity('known_networks')
export class KnownNetwork {
  /** SHA-256 of the account id and of the network prefix. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Index('known_networks_account')
  @Column(id)
  accountId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'known_networks_account_fk' })
  account!: Relation<Account>;

  @Index('known_networks_last_used')
  @Column(timestampMs)
  lastUsedAt!: Date;
}
