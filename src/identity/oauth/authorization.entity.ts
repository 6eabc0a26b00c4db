import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from '../accounts/account.entity.js';
import { App } from '../apps/app.entity.js';
import { idColumn, json, nullableColumn, timestampMs } from '../../platform/database/columns.js';
import type { Resource } from '../scopes/resources.js';
import type { Scope } from '../scopes/scopes.js';

/**
 * The access that one account gave one app on one device: the root of a chain of refresh tokens. A
 * revocation is one write to this row, and no token of the chain is valid after it.
 */
@Entity('authorizations')
export class Authorization {
  @PrimaryColumn(idColumn)
  id!: string;

  @Index('authorizations_account')
  @Column(idColumn)
  accountId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'authorizations_account_fk' })
  account!: Relation<Account>;

  @Column(idColumn)
  appId!: string;

  @ManyToOne(() => App)
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'authorizations_app_fk' })
  app!: Relation<App>;

  /** When the person consented; null if an operator issued the tokens. */
  @Column(nullableColumn(timestampMs))
  consentedAt!: Date | null;

  /** The granted scopes. A refresh may request fewer, never more. */
  @Column(json)
  scopes!: Scope[];

  /** The resources that the access tokens can be for (RFC 8707). */
  @Column({ ...json, default: '["api"]' })
  resources!: Resource[];

  /** When the person last authenticated (OpenID Connect `auth_time`). */
  @Column(timestampMs)
  authTime!: Date;

  /** The browser in which the person consented, such as `Firefox (Linux)`; null if unknown. */
  @Column({ type: 'varchar', length: 100, nullable: true })
  browser!: string | null;

  /**
   * Thumbprint of the key to which the refresh tokens are bound (RFC 9449 §5); null without one.
   */
  @Column({ type: 'varchar', length: 43, nullable: true })
  dpopJkt!: string | null;

  @Column(timestampMs)
  createdAt!: Date;

  @Column(nullableColumn(timestampMs))
  revokedAt!: Date | null;
}
