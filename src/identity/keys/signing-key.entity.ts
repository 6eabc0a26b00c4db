import { Column, Entity, PrimaryColumn } from 'typeorm';
import { timestampMs } from '../../platform/database/columns.js';

/**
 * Signature algorithms (RFC 7518 §3.1): ES256 for access tokens; RS256, or ES256 on request, for id
 * tokens.
 */
export const SIGNING_ALGORITHMS = ['ES256', 'RS256'] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/** A key pair that signs tokens. Its private key is encrypted with `MASTER_SECRET`. */
@Entity('signing_keys')
export class SigningKey {
  /** The JWK thumbprint of the public key (RFC 7638). */
  @PrimaryColumn({ type: 'varchar', length: 43 })
  kid!: string;

  @Column({ type: 'varchar', length: 10 })
  algorithm!: SigningAlgorithm;

  /** SPKI in PEM. */
  @Column({ type: 'text' })
  publicKey!: string;

  /** PKCS #8 in PEM, encrypted. */
  @Column({ type: 'text' })
  encryptedPrivateKey!: string;

  @Column(timestampMs)
  createdAt!: Date;
}
