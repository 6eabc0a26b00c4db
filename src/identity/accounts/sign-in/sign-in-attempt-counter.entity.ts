import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { timestampMs } from '../../../platform/database/columns.js';

/**
 * Number of sign-in attempts since the last success, for one name or browser, in total or from one
 * network.
 */
@Entity('sign_in_attempt_counters')
export class SignInAttemptCounter {
  /**
   * Digest of the name or browser; for the attempts from one network, together with the network.
   */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column({ type: 'integer' })
  count!: number;

  @Index('sign_in_attempt_counters_last_attempt')
  @Column(timestampMs)
  lastAttemptAt!: Date;
}
