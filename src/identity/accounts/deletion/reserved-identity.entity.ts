import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { timestampMs } from '../../../platform/database/columns.js';

/**
 * A username or e-mail address that no account can take until it expires.
 */
@Entity('reserved_identities')
export class ReservedIdentity {
  /** Keyed digest of the normalized username or e-mail address. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Index('reserved_identities_expires')
  @Column(timestampMs)
  expiresAt!: Date;
}
