import { Column, Entity, PrimaryColumn } from 'typeorm';
import { id, json, nullable, timestampMs } from '../../platform/database/columns.js';
import type { SigningAlgorithm } from '../keys/signing-key.entity.js';
import type { Scope } from '../scopes/scopes.js';

/** A third-party app that may act for people: a client, in the words of RFC 6749 §2. */
@Entity('apps')
export class App {
  /** The client identifier. */
  @PrimaryColumn(id)
  id!: string;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  /** What it does for people, in its makers' words. */
  @Column({ type: 'varchar', length: 500, nullable: true })
  description!: string | null;

  @Column({ type: 'varchar', length: 500, nullable: true })
  homePage!: string | null;

  /** The account of who registered it; none, where the operator did. */
  @Column(nullable(id))
  ownerId!: string | null;

  @Column(json)
  redirectUris!: string[];

  @Column(json)
  postLogoutRedirectUris!: string[];

  /** What the app may ask people for. */
  @Column(json)
  scopes!: Scope[];

  /** Those of its scopes that a person cannot leave out. */
  @Column(json)
  requiredScopes!: Scope[];

  @Column({ type: 'varchar', length: 10 })
  idTokenAlg!: SigningAlgorithm;

  @Column({ type: 'boolean' })
  pkceRequired!: boolean;

  @Column({ type: 'varchar', length: 43 })
  secretDigest!: string;

  /** The secret before this one, where it was kept for a while: until when, and when it was last used. */
  @Column({ type: 'varchar', length: 43, nullable: true })
  previousSecretDigest!: string | null;

  @Column(nullable(timestampMs))
  previousSecretExpiresAt!: Date | null;

  @Column(nullable(timestampMs))
  previousSecretLastUsedAt!: Date | null;

  @Column(timestampMs)
  createdAt!: Date;

  @Column(nullable(timestampMs))
  disabledAt!: Date | null;

  /** Who disabled it: what the operator did, the owner cannot undo. */
  @Column({ type: 'varchar', length: 10, nullable: true })
  disabledBy!: 'operator' | 'owner' | null;
}
