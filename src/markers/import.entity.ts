import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment } from '../database/columns.js';

/** How far an import has come: begun again, it goes on from there. */
@Entity('imports')
export class Import {
  /** SHA-256 of the file, in hexadecimal; or the name of what is imported without one. */
  @PrimaryColumn({ type: 'varchar', length: 64 })
  digest!: string;

  /** How many features have been looked at. */
  @Column({ type: 'integer' })
  done!: number;

  /** How many of them are on the map. */
  @Column({ type: 'integer' })
  imported!: number;

  @Column(moment)
  startedAt!: Date;

  @Column(moment)
  updatedAt!: Date;
}
