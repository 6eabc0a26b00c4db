import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from '../../accounts/account.entity.js';
import { App } from '../../apps/app.entity.js';
import { idColumn, json, nullableColumn, timestampMs } from '../../../platform/database/columns.js';
import type { Resource } from '../../scopes/resources.js';
import type { Scope } from '../../scopes/scopes.js';
import { Consent } from '../consents/consent.entity.js';

/** An authorization code, with the values of the request and the session to which it is bound. */
@Entity('authorization_codes')
@Index('authorization_codes_authorization', ['authorizationId', 'expiresAt'])
export class AuthorizationCode {
  @PrimaryColumn({ type: 'varchar', length: 43 })
  digest!: string;

  @Column(idColumn)
  accountId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'authorization_codes_account_fk' })
  account!: Relation<Account>;

  @Column(idColumn)
  appId!: string;

  @ManyToOne(() => App)
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'authorization_codes_app_fk' })
  app!: Relation<App>;

  @Column(idColumn)
  consentId!: string;

  @ManyToOne(() => Consent)
  @JoinColumn({ name: 'consent_id', foreignKeyConstraintName: 'authorization_codes_consent_fk' })
  consent!: Relation<Consent>;

  @Column(json)
  scopes!: Scope[];

  /** The parameters `resource` of the request; the API if there were none. */
  @Column({ ...json, default: '["api"]' })
  resources!: Resource[];

  @Column({ type: 'text' })
  redirectUri!: string;

  /** PKCE challenge with S256 (RFC 7636 §4.2); null if the request had none. */
  @Column({ type: 'varchar', length: 43, nullable: true })
  codeChallenge!: string | null;

  /** The parameter `dpop_jkt`: the key whose proof the token request needs; null without one. */
  @Column({ type: 'varchar', length: 43, nullable: true })
  dpopJkt!: string | null;

  @Column({ type: 'text', nullable: true })
  nonce!: string | null;

  @Column(timestampMs)
  authTime!: Date;

  /** How the person authenticated (OpenID Connect `amr`, RFC 8176). */
  @Column({ ...json, default: '["pwd"]' })
  amr!: string[];

  /** The browser of the session, such as `Firefox (Linux)`; null if unknown. */
  @Column({ type: 'varchar', length: 100, nullable: true })
  browser!: string | null;

  @Column(timestampMs)
  expiresAt!: Date;

  @Column(nullableColumn(timestampMs))
  usedAt!: Date | null;

  /** The authorization that the exchange created. */
  @Column(nullableColumn(idColumn))
  authorizationId!: string | null;
}
