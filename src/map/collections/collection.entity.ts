import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from '../../identity/accounts/account.entity.js';
import { id, timestampMs } from '../../platform/database/columns.js';

/** Who can read a collection: its owner, or everyone. */
export const VISIBILITIES = ['private', 'public'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** A person's list of artworks. Only the owner can find out that a private collection exists. */
@Entity('collections')
@Index('collections_owner', ['ownerId', 'updatedAt', 'id'])
export class Collection {
  @PrimaryColumn(id)
  id!: string;

  @Column(id)
  ownerId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'owner_id', foreignKeyConstraintName: 'collections_owner_fk' })
  owner!: Relation<Account>;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'varchar', length: 10 })
  visibility!: Visibility;

  /** Includes artworks that were deleted after they were added; responses do not count these. */
  @Column({ type: 'integer' })
  itemCount!: number;

  @Column({ type: 'integer' })
  version!: number;

  @Column(timestampMs)
  createdAt!: Date;

  @Column(timestampMs)
  updatedAt!: Date;
}
