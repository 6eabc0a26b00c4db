import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment } from '../database/columns.js';

/** How often signing in under one name was tried since it last went well. */
@Entity('sign_in_attempts')
export class SignInAttempts {
  /** Digest of the name, or of a browser that the person has signed in with; for one network, with that. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column({ type: 'integer' })
  count!: number;

  @Index('sign_in_attempts_last')
  @Column(moment)
  lastAt!: Date;
}
