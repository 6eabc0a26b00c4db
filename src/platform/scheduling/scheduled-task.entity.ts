import { Column, Entity, PrimaryColumn } from 'typeorm';
import { nullable, timestampMs } from '../database/columns.js';

/** A periodic task that one process runs for all processes. */
@Entity('scheduled_tasks')
export class ScheduledTask {
  @PrimaryColumn({ type: 'varchar', length: 40 })
  name!: string;

  /** When the task is due next. */
  @Column(timestampMs)
  dueAt!: Date;

  /** Until when a process has the task for itself; null while no process runs it. */
  @Column(nullable(timestampMs))
  leaseExpiresAt!: Date | null;
}
