import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { id, timestampMs } from '../../platform/database/columns.js';
import { Marker } from '../markers/marker.entity.js';
import { Collection } from './collection.entity.js';

/** An artwork in a collection, with its position. */
@Entity('collection_items')
@Index('collection_items_position', ['collectionId', 'position'], { unique: true })
export class CollectionItem {
  @PrimaryColumn(id)
  collectionId!: string;

  @ManyToOne(() => Collection, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'collection_id', foreignKeyConstraintName: 'collection_items_collection_fk' })
  collection!: Relation<Collection>;

  @PrimaryColumn(id)
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
