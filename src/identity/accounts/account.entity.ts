import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { id, json, nullable, timestampMs } from '../../platform/database/columns.js';

/** How much the community trusts a person: see the role table of each resource's permissions. */
export const ROLES = ['member', 'trusted', 'moderator'] as const;
export type Role = (typeof ROLES)[number];

/** The region that stands for every place on the map, and for what lies in none. */
export const ALL_REGIONS = '*';

/** A person of the community. */
@Entity('accounts')
export class Account {
  @PrimaryColumn(id)
  id!: string;

  @Column({ type: 'varchar', length: 40 })
  username!: string;

  /** The username as it is compared: `Mila` and `mila` are one person. */
  @Index('accounts_normalized_username', { unique: true })
  @Column({ type: 'varchar', length: 40 })
  normalizedUsername!: string;

  @Column({ type: 'varchar', length: 254 })
  email!: string;

  @Index('accounts_normalized_email', { unique: true })
  @Column({ type: 'varchar', length: 254 })
  normalizedEmail!: string;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  /** When the address proved to be theirs; it has not where they typed it themselves and nobody looked. */
  @Column(nullable(timestampMs))
  emailVerifiedAt!: Date | null;

  /** Address of a picture of them. */
  @Column({ type: 'varchar', length: 500, nullable: true })
  picture!: string | null;

  /** Argon2id, in its PHC string format. */
  @Column({ type: 'text' })
  passwordHash!: string;

  @Column({ type: 'varchar', length: 20 })
  role!: Role;

  /** Ids of the regions the role holds in, or `*`. */
  @Column(json)
  regions!: string[];

  @Column(timestampMs)
  createdAt!: Date;

  @Column(timestampMs)
  updatedAt!: Date;

  @Column(nullable(timestampMs))
  blockedAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  blockedReason!: string | null;
}
