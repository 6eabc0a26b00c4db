import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { id, timestampMs } from '../../../platform/database/columns.js';

/** A call of an app that failed for a reason which its developer can mend; again and again for the same reason, it is one. */
@Entity('failed_calls')
@Index('failed_calls_app', ['appId', 'lastFailedAt'])
export class FailedCall {
  /** Of all that tells it from others. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column(id)
  appId!: string;

  /** When it last failed. */
  @Column(timestampMs)
  lastFailedAt!: Date;

  @Column({ type: 'integer' })
  count!: number;

  /** What was called: `POST /api/oauth/token`. */
  @Column({ type: 'varchar', length: 200 })
  endpoint!: string;

  /** The code that was answered. */
  @Column({ type: 'varchar', length: 60 })
  errorCode!: string;

  /** The sentence that was answered, and what only the developer is told. No secret is in it. */
  @Column({ type: 'text' })
  reason!: string;
}
