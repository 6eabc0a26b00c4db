import { Column, Entity, PrimaryColumn } from 'typeorm';
import { id } from '../../../platform/database/columns.js';

/** The last day on which an app called the API for a person. */
@Entity('app_uses')
export class AppUse {
  @PrimaryColumn(id)
  accountId!: string;

  @PrimaryColumn(id)
  appId!: string;

  /** `YYYY-MM-DD` in UTC. */
  @Column({ type: 'varchar', length: 10 })
  lastUsedOn!: string;
}
