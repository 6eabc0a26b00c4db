import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { timestampMs } from '../database/columns.js';

/** Number of attempts of one kind by one network, account or app, in a fixed window. */
@Entity('rate_limit_windows')
export class RateLimitWindow {
  /** Digest of the kind and of the network, account or app. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column({ type: 'integer' })
  count!: number;

  @Index('rate_limit_windows_ends')
  @Column(timestampMs)
  endsAt!: Date;
}
