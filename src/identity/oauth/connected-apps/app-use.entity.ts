import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '../../../platform/database/columns.js';

/** The last day on which an app called the API for a person. */
@Entity('app_uses')
export class AppUse {
  @PrimaryColumn(idColumn)
  accountId!: string;

  @PrimaryColumn(idColumn)
  appId!: string;

  /** `YYYY-MM-DD` in UTC. */
  @Column({ type: 'varchar', length: 10 })
  lastUsedOn!: string;
}
