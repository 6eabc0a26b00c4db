import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { bytes, id, timestampMs } from '../../../platform/database/columns.js';
import { Account } from '../../accounts/account.entity.js';

/** The uploaded picture of an account, encoded again by this service. */
@Entity('profile_pictures')
export class ProfilePicture {
  /** Random id in the public address. A new picture has a new id, so that caches never expire. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  id!: string;

  @Index('profile_pictures_account', { unique: true })
  @Column(id)
  accountId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'profile_pictures_account_fk' })
  account!: Relation<Account>;

  @Column({ type: 'varchar', length: 40 })
  contentType!: string;

  @Column(bytes)
  content!: Buffer;

  @Column(timestampMs)
  createdAt!: Date;
}
