import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { timestampMs } from '../../platform/database/columns.js';

/** How often signing in under one name was tried since it last went well. */
@Entity('sign_in_attempt_counters')
export class SignInAttemptCounter {
  /** Digest of the name, or of a browser that the person has signed in with; for one network, with that. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column({ type: 'integer' })
  count!: number;

  @Index('sign_in_attempt_counters_last_attempt')
  @Column(timestampMs)
  lastAttemptAt!: Date;
}
