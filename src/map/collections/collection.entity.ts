import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from '../../identity/accounts/account.entity.js';
import { idColumn, timestampMs } from '../../platform/database/columns.js';
import { Marker } from '../markers/marker.entity.js';

/** Who can read a collection: its owner, or everyone. */
export const VISIBILITIES = ['private', 'public'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** A person's list of artworks. Only the owner can find out that a private collection exists. */
@Entity('collections')
@Index('collections_owner', ['ownerId', 'updatedAt', 'id'])
export class Collection {
  @PrimaryColumn(idColumn)
  id!: string;

  @Column(idColumn)
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

/** An artwork in a collection, with its position. */
@Entity('collection_items')
@Index('collection_items_position', ['collectionId', 'position'], { unique: true })
export class CollectionItem {
  @PrimaryColumn(idColumn)
  collectionId!: string;

  @ManyToOne(() => Collection, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'collection_id', foreignKeyConstraintName: 'collection_items_collection_fk' })
  collection!: Relation<Collection>;

  @PrimaryColumn(idColumn)
  markerId!: string;

  @ManyToOne(() => Marker)
  @JoinColumn({ name: 'marker_id', foreignKeyConstraintName: 'collection_items_marker_fk' })
  marker!: Relation<Marker>;

  /** Order of the items; the numbers can have gaps. */
  @Column({ type: 'integer' })
  position!: number;

  @Column({ type: 'varchar', length: 500, nullable: true })
  note!: string | null;

  @Column(timestampMs)
  addedAt!: Date;
}
