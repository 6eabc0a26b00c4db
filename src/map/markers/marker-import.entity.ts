import { Column, Entity, PrimaryColumn } from 'typeorm';
import { timestampMs } from '../../platform/database/columns.js';

/** Progress of an import. A repeated import of the same source continues from here. */
@Entity('marker_imports')
export class MarkerImport {
  /** SHA-256 of the file, in hexadecimal, or the name of a source without a file. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  sourceKey!: string;

  /** Number of features that were read. */
  @Column({ type: 'integer' })
  processed!: number;

  /** Number of features that became markers. */
  @Column({ type: 'integer' })
  imported!: number;

  @Column(timestampMs)
  startedAt!: Date;

  @Column(timestampMs)
  updatedAt!: Date;
}
