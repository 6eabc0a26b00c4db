import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { id, json, maybeMoment, moment } from '../database/columns.js';

/** How much the community trusts a person: see the role table of each resource's permissions. */
export const ROLES = ['member', 'trusted', 'moderator'] as const;
export type Role = (typeof ROLES)[number];

/** The region that stands for every place on the map, and for what lies in none. */
export const EVERYWHERE = '*';

/** A person of the community. */
@Entity('accounts')
export class Account {
  @PrimaryColumn(id)
  id!: string;

  @Column({ type: 'varchar', length: 40 })
  username!: string;

  /** The username as it is compared: `Mila` and `mila` are one person. */
  @Index('accounts_username_key', { unique: true })
  @Column({ type: 'varchar', length: 40 })
  usernameKey!: string;

  @Column({ type: 'varchar', length: 254 })
  email!: string;

  @Index('accounts_email_key', { unique: true })
  @Column({ type: 'varchar', length: 254 })
  emailKey!: string;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  /** When the address proved to be theirs; it has not where they typed it themselves and nobody looked. */
  @Column(maybeMoment)
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

  @Column(moment)
  createdAt!: Date;

  @Column(moment)
  updatedAt!: Date;

  @Column(maybeMoment)
  blockedAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  blockedReason!: string | null;
}
