import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { idColumn, json, nullableColumn, timestampMs } from '../../platform/database/columns.js';
import type { SigningAlgorithm } from '../keys/signing-key.entity.js';
import type { Scope } from '../scopes/scopes.js';
import { MAX_SKELETON_LENGTH } from './name-skeleton.js';

/** Whether an app can keep a client secret (RFC 6749 §2.1). */
export type ClientType = 'confidential' | 'public';

/** Whether `/apps` shows an app: its owner offers it, then the operator approves it. */
export type AppListing = 'none' | 'offered' | 'approved';

/** A name that an app had, and the ISO 8601 time at which it changed. */
export interface FormerName extends Pick<App, 'name' | 'nameSkeleton'> {
  until: string;
}

/** A third-party app: a client (RFC 6749 §2). */
@Entity('apps')
export class App {
  /** Client identifier (RFC 6749 §2.2), unless the app has a `metadataUrl`. */
  @PrimaryColumn(idColumn)
  id!: string;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  /** The same for all names that look alike. */
  @Index('apps_name_skeleton')
  @Column({ type: 'varchar', length: MAX_SKELETON_LENGTH, default: '' })
  nameSkeleton!: string;

  /** The last 20 names that the app had before, the newest first. No other app can have them. */
  @Column({ ...json, default: '[]' })
  formerNames!: FormerName[];

  /** The developer's description, shown on the consent page. */
  @Column({ type: 'varchar', length: 500, nullable: true })
  description!: string | null;

  @Column({ type: 'varchar', length: 500, nullable: true })
  homePage!: string | null;

  /** https URL. */
  @Column({ type: 'varchar', length: 500, nullable: true })
  privacyPolicy!: string | null;

  /** https URL. */
  @Column({ type: 'varchar', length: 500, nullable: true })
  termsOfService!: string | null;

  /** Path of the uploaded icon below `BASE_URL`; null for a monogram. */
  @Column({ type: 'varchar', length: 60, nullable: true })
  icon!: string | null;

  /** Whether the operator marked the app as one of their own. */
  @Column({ type: 'boolean', default: false })
  isFirstParty!: boolean;

  @Column({ type: 'varchar', length: 10, default: 'none' })
  listing!: AppListing;

  /** Token responses per minute to one network; null for the default of the settings. */
  @Column({ type: 'integer', nullable: true })
  tokenRateLimit!: number | null;

  /** Address of the client ID metadata document: the `client_id`. Null for a registered app. */
  @Index('apps_metadata_url', { unique: true })
  @Column({ type: 'varchar', length: 500, nullable: true })
  metadataUrl!: string | null;

  /** When the document must be fetched again. */
  @Index('apps_metadata_expires')
  @Column(nullableColumn(timestampMs))
  metadataExpiresAt!: Date | null;

  /** Account that registered the app; null for the operator. */
  @Column(nullableColumn(idColumn))
  ownerId!: string | null;

  @Column(json)
  redirectUris!: string[];

  @Column(json)
  postLogoutRedirectUris!: string[];

  /** Scopes that the app can request. */
  @Column(json)
  scopes!: Scope[];

  /** Scopes that a person cannot leave out on the consent page. */
  @Column(json)
  requiredScopes!: Scope[];

  @Column({ type: 'varchar', length: 10 })
  idTokenAlg!: SigningAlgorithm;

  @Column({ type: 'boolean' })
  pkceRequired!: boolean;

  @Column({ type: 'varchar', length: 12, default: 'confidential' })
  clientType!: ClientType;

  /** Digest of the client secret; empty for a public client, so that no secret has it. */
  @Column({ type: 'varchar', length: 43 })
  secretDigest!: string;

  /** Digest of the previous client secret while it is valid; null if there is none. */
  @Column({ type: 'varchar', length: 43, nullable: true })
  previousSecretDigest!: string | null;

  @Column(nullableColumn(timestampMs))
  previousSecretExpiresAt!: Date | null;

  @Column(nullableColumn(timestampMs))
  previousSecretLastUsedAt!: Date | null;

  @Column(timestampMs)
  createdAt!: Date;

  @Index('apps_disabled')
  @Column(nullableColumn(timestampMs))
  disabledAt!: Date | null;

  /** Who disabled the app. An owner cannot enable an app that the operator disabled. */
  @Column({ type: 'varchar', length: 10, nullable: true })
  disabledBy!: 'operator' | 'owner' | null;

  /** The row of a deleted app stays, because the map names the app of each edit. */
  @Column(nullableColumn(timestampMs))
  deletedAt!: Date | null;
}

/** Returns the client identifier that the app sends (RFC 6749 §2.2). */
export function getClientId({ id, metadataUrl }: Pick<App, 'id' | 'metadataUrl'>): string {
  return metadataUrl ?? id;
}
