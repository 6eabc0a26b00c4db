import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { timestampMs } from '../../platform/database/columns.js';

/**
 * A response of the refresh grant, for a client that repeats its `Idempotency-Key`. Only the
 * presented token decrypts it.
 */
@Entity('idempotent_responses')
export class IdempotentResponse {
  /** Of the presented token, the key and the requested scope. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column({ type: 'text' })
  encryptedResponse!: string;

  @Index('idempotent_responses_expires')
  @Column(timestampMs)
  expiresAt!: Date;
}
