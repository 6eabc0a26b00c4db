import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { timestampMs } from '../../platform/database/columns.js';

/** An answer of the refresh grant, kept for who asks by the same `Idempotency-Key` again. Only the token that was spent opens it. */
@Entity('idempotent_responses')
export class IdempotentResponse {
  /** Of the token that was spent, the key, and what else was asked. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column({ type: 'text' })
  encryptedResponse!: string;

  @Index('idempotent_responses_expires')
  @Column(timestampMs)
  expiresAt!: Date;
}
