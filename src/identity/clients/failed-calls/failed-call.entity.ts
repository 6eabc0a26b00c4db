import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { id, timestampMs } from '../../../platform/database/columns.js';

/** Failed calls of an app with the same endpoint, error code and reason. */
@Entity('failed_calls')
@Index('failed_calls_app', ['appId', 'lastFailedAt'])
export class FailedCall {
  /** Digest of the values that identify the failure. */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column(id)
  appId!: string;

  @Column(timestampMs)
  lastFailedAt!: Date;

  @Column({ type: 'integer' })
  count!: number;

  /** Method and path: `POST /api/oauth/token`. */
  @Column({ type: 'varchar', length: 200 })
  endpoint!: string;

  /** Error code of the response. */
  @Column({ type: 'varchar', length: 60 })
  errorCode!: string;

  /** Message of the response, with details for the developer. Secrets are redacted. */
  @Column({ type: 'text' })
  reason!: string;
}
