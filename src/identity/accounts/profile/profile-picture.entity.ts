import { Column, Entity, Index, JoinColumn, ManyToOne, type Relation } from 'typeorm';
import { idColumn } from '../../../platform/database/columns.js';
import { StoredPicture } from '../../../platform/pictures/stored-picture.js';
import { Account } from '../account.entity.js';

/** The uploaded picture of an account, encoded again by this service. */
@Entity('profile_pictures')
export class ProfilePicture extends StoredPicture {
  @Index('profile_pictures_account', { unique: true })
  @Column(idColumn)
  accountId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'profile_pictures_account_fk' })
  account!: Relation<Account>;
}
/** Start of the path of an uploaded picture, below `BASE_URL`. The id of the picture follows. */
export const PICTURES_PATH = '/pictures/';

/**
 * Whether the picture of an account is a path of this service. Otherwise it is an https URL that
 * the operator entered.
 */
export function isUploadedPicture(picture: string): boolean {
  return picture.startsWith(PICTURES_PATH);
}

/** Returns the absolute URL of the picture of an account, for the claim `picture`. */
export function toPictureUrl(baseUrl: string, picture: string): string {
  return isUploadedPicture(picture) ? baseUrl + picture : picture;
}
