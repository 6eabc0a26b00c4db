import { Column, Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { id } from '../../../platform/database/columns.js';
import { StoredPicture } from '../../../platform/pictures/stored-picture.js';
import { Account } from '../account.entity.js';

/** The uploaded picture of an account, encoded again by this service. */
@Entity('profile_pictures')
export class ProfilePicture extends StoredPicture {
  @Index('profile_pictures_account', { unique: true })
  @Column(id)
  accountId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'profile_pictures_account_fk' })
  account!: Relation<Account>;
}
