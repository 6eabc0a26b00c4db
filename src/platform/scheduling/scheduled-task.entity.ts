import { Column, Entity, PrimaryColumn } from 'typeorm';
import { nullableColumn, timestampMs } from '../database/columns.js';

/** A periodic task that one process runs for all processes. */
@Entity('scheduled_tasks')
export class ScheduledTask {
  @PrimaryColumn({ type: 'varchar', length: 40 })
  name!: string;

  /** Time at which the task is due next. */
  @Column(timestampMs)
  dueAt!: Date;

  /** Time until which one process may run the task; null while no process runs it. */
  @Column(nullableColumn(timestampMs))
  leaseExpiresAt!: Date | null;
}
