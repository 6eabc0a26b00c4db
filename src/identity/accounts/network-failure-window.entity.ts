import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { timestampMs } from '../../platform/database/columns.js';

/** Number of failures of one kind from one network, for all names together, in a fixed window. */
@Entity('network_failure_windows')
export class NetworkFailureWindow {
  /** Digest of the kind and the network. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column({ type: 'integer' })
  count!: number;

  @Index('network_failure_windows_ends')
  @Column(timestampMs)
  endsAt!: Date;
}
