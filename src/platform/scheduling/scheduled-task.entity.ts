import { Column, Entity, PrimaryColumn } from 'typeorm';
import { timestampMs } from '../database/columns.js';

/** Work that comes again and again, of which one process does it for all. */
@Entity('scheduled_tasks')
export class ScheduledTask {
  @PrimaryColumn({ type: 'varchar', length: 40 })
  name!: string;

  /** From when on whoever comes first may do it. */
  @Column(timestampMs)
  dueAt!: Date;
}
