import { Column, Entity, PrimaryColumn } from 'typeorm';
import { timestampMs } from '../../platform/database/columns.js';

/** What a key signs with: ES256 for access tokens, RS256 for id tokens (RFC 7518 §3.1). */
export const SIGNING_ALGORITHMS = ['ES256', 'RS256'] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/** A key pair that signs tokens. Its private half is kept sealed under `MASTER_SECRET`. */
@Entity('signing_keys')
export class SigningKey {
  /** The JWK thumbprint of the public half (RFC 7638). */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  kid!: string;

  @Column({ type: 'varchar', length: 10 })
  algorithm!: SigningAlgorithm;

  /** SPKI, PEM. */
  @Column({ type: 'text' })
  publicKey!: string;

  /** PKCS #8, PEM, sealed. */
  @Column({ type: 'text' })
  encryptedPrivateKey!: string;

  @Column(timestampMs)
  createdAt!: Date;
}
