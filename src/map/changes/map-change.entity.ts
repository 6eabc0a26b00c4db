import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { idColumn } from '../../platform/database/columns.js';

/** A type of records that has a feed of changes. */
export type MapRecordType = 'marker' | 'artist';

/** The position of a record in its feed. A change moves the record to a new position at the end. */
@Entity('map_changes')
@Index('map_changes_seq', ['type', 'seq'], { unique: true })
export class MapChange {
  @PrimaryColumn({ type: 'varchar', length: 10 })
  type!: MapRecordType;

  @PrimaryColumn(idColumn)
  entityId!: string;

  /** Number of the latest change, in the order of the commits. */
  @Column({ type: 'bigint' })
  seq!: string;
}

/**
 * The number of the latest change: one row. A transaction locks it until its commit, so that
 * numbers become visible in their order.
 */
@Entity('map_change_counter')
export class MapChangeCounter {
  @PrimaryColumn({ type: 'integer' })
  id!: number;

  @Column({ type: 'bigint' })
  last!: string;
}

/**
 * A process that wrote changes or served a feed. A restored backup lacks the epochs after the
 * backup, and the next process begins a new one. So the service recognizes a token for changes that
 * the restore undid, even when their numbers were assigned again.
 */
@Entity('map_change_epochs')
@Index('map_change_epochs_id', ['id'], { unique: true })
export class MapChangeEpoch {
  /** Epochs are numbered in the order in which they began. */
  @PrimaryColumn({ type: 'integer' })
  number!: number;

  /** A random text that identifies the process. */
  @Column({ type: 'varchar', length: 16 })
  id!: string;

  /** Number of the latest change before the epoch. */
  @Column({ type: 'bigint' })
  startSeq!: string;
}
