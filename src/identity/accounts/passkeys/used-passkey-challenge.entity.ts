import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { nullable, timestampMs } from '../../../platform/database/columns.js';

/** A challenge that was used. Its row prevents another use until the challenge expires. */
@Entity('used_passkey_challenges')
export class UsedPasskeyChallenge {
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column(nullable(timestampMs))
  usedAt!: Date | null;

  @Index('used_passkey_challenges_expires')
  @Column(timestampMs)
  expiresAt!: Date;
}
