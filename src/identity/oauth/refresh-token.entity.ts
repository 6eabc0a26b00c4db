import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { digestBytes, idColumn, nullableColumn, timestampMs } from '../../platform/database/columns.js';
import { Authorization } from './authorization.entity.js';

/**
 * A refresh token, stored as its digest. It is valid, used or expired. Its authorization may be
 * revoked and its account blocked (spec §3).
 */
@Entity('refresh_tokens')
export class RefreshToken {
  @PrimaryColumn(digestBytes)
  digest!: string;

  @Index('refresh_tokens_authorization')
  @Column(idColumn)
  authorizationId!: string;

  @ManyToOne(() => Authorization)
  @JoinColumn({ name: 'authorization_id', foreignKeyConstraintName: 'refresh_tokens_authorization_fk' })
  authorization!: Relation<Authorization>;

  @Column(timestampMs)
  issuedAt!: Date;

  /** Part of the key, because PostgreSQL partitions the table by it. */
  @Index('refresh_tokens_expires')
  @PrimaryColumn(timestampMs)
  expiresAt!: Date;

  @Column(nullableColumn(timestampMs))
  usedAt!: Date | null;

  /** The digest of the token that replaced it. */
  @Column(nullableColumn(digestBytes))
  successorDigest!: string | null;
}
