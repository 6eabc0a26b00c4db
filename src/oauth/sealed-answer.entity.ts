import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment } from '../database/columns.js';

/** An answer of the refresh grant, kept for who asks by the same `Idempotency-Key` again. Only the token that was spent opens it. */
@Entity('sealed_answers')
export class SealedAnswer {
  /** Of the token that was spent, the key, and what else was asked. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column({ type: 'text' })
  answer!: string;

  @Index('sealed_answers_expires')
  @Column(moment)
  expiresAt!: Date;
}
