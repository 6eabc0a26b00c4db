import { Column, Entity, PrimaryColumn } from 'typeorm';
import { timestampMs } from '../../platform/database/columns.js';

/** How far an import has come: begun again, it goes on from there. */
@Entity('marker_imports')
export class MarkerImport {
  /** SHA-256 of the file, in hexadecimal; or the name of what is imported without one. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  sourceKey!: string;

  /** How many features have been looked at. */
  @Column({ type: 'integer' })
  processed!: number;

  /** How many of them are on the map. */
  @Column({ type: 'integer' })
  imported!: number;

  @Column(timestampMs)
  startedAt!: Date;

  @Column(timestampMs)
  updatedAt!: Date;
}
