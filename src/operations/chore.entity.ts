import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment } from '../database/columns.js';

/** Work that comes again and again, of which one process does it for all. */
@Entity('chores')
export class Chore {
  @PrimaryColumn({ type: 'varchar', length: 40 })
  name!: string;

  /** From when on whoever comes first may do it. */
  @Column(moment)
  dueAt!: Date;
}
