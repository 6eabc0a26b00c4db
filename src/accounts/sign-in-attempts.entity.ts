import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment } from '../database/columns.js';

/** How often signing in under one name went wrong since it last went well. */
@Entity('sign_in_attempts')
export class SignInAttempts {
  /** Digest of the name, with the browser where it is one that this person signed in with before. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column({ type: 'integer' })
  count!: number;

  @Index('sign_in_attempts_last')
  @Column(moment)
  lastAt!: Date;
}
