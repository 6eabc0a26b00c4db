import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from '../../accounts/account.entity.js';
import { App } from '../../apps/app.entity.js';
import { idColumn, json, nullableColumn, timestampMs } from '../../../platform/database/columns.js';
import type { Scope } from '../../scopes/scopes.js';

/** The scopes that a person allowed an app, until the person withdraws them. */
@Entity('consents')
@Index('consents_account_app', ['accountId', 'appId'], { unique: true, where: 'withdrawn_at IS NULL' })
@Index('consents_app', ['appId'])
export class Consent {
  @PrimaryColumn(idColumn)
  id!: string;

  @Column(idColumn)
  accountId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'consents_account_fk' })
  account!: Relation<Account>;

  @Column(idColumn)
  appId!: string;

  @ManyToOne(() => App)
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'consents_app_fk' })
  app!: Relation<App>;

  /** The scopes that need no new consent. */
  @Column(json)
  scopes!: Scope[];

  /** When each of them was allowed, in milliseconds since 1970. */
  @Column({ ...json, default: '{}' })
  allowedAt!: Partial<Record<Scope, number>>;

  /** Requested scopes that the person left out, and did not allow since. */
  @Column({ ...json, default: '[]' })
  leftOutScopes!: Scope[];

  /** The names of the app that the person saw when allowing it, the last one at the end. */
  @Column({ ...json, default: '[]' })
  seenNames!: string[];

  /** The redirect hosts that the person saw when allowing the app, the last one at the end. */
  @Column({ ...json, default: '[]' })
  seenHosts!: string[];

  @Column(timestampMs)
  createdAt!: Date;

  /** When the person last consented. */
  @Column(timestampMs)
  updatedAt!: Date;

  @Column(nullableColumn(timestampMs))
  withdrawnAt!: Date | null;
}
