import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { timestampMs } from '../database/columns.js';

/**
 * A response, for a client that repeats its `Idempotency-Key`. It is encrypted with the request, so
 * the database alone reveals nothing.
 */
@Entity('idempotent_responses')
export class IdempotentResponse {
  /** Of the key and of the client that chose it. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column({ type: 'text' })
  encryptedResponse!: string;

  @Index('idempotent_responses_expires')
  @Column(timestampMs)
  expiresAt!: Date;
}
