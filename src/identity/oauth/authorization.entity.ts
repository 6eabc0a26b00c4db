import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from '../accounts/account.entity.js';
import { App } from '../clients/app.entity.js';
import { id, json, nullable, timestampMs } from '../../platform/database/columns.js';
import type { Scope } from '../scopes/scopes.js';

/**
 * That a person lets an app act for them, on one device: the root of a chain of refresh tokens, of which each follows the
 * one before. Ending the chain is one write here, so no token of it can outlive that.
 */
@Entity('authorizations')
export class Authorization {
  @PrimaryColumn(id)
  id!: string;

  @Index('authorizations_account')
  @Column(id)
  accountId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'authorizations_account_fk' })
  account!: Relation<Account>;

  @Column(id)
  appId!: string;

  @ManyToOne(() => App)
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'authorizations_app_fk' })
  app!: Relation<App>;

  /** When the person said the yes that it rests on; never, where the operator issued it. */
  @Column(nullable(timestampMs))
  consentedAt!: Date | null;

  /** What was granted; a refresh may ask for less, never for more. */
  @Column(json)
  scopes!: Scope[];

  /** When the person last proved who they are (OpenID Connect `auth_time`). */
  @Column(timestampMs)
  authTime!: Date;

  @Column(timestampMs)
  createdAt!: Date;

  @Column(nullable(timestampMs))
  revokedAt!: Date | null;
}
