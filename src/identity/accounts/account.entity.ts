import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { idColumn, json, nullableColumn, timestampMs } from '../../platform/database/columns.js';
import type { Language } from '../../platform/i18n/language.js';

/** Roles, in ascending order of permissions. The rules of each resource define their meaning. */
export const ROLES = ['member', 'trusted', 'moderator'] as const;
export type Role = (typeof ROLES)[number];

/** Region id for the whole map, including objects outside all regions. */
export const ALL_REGIONS = '*';

/** The account of a person. */
@Entity('accounts')
export class Account {
  @PrimaryColumn(idColumn)
  id!: string;

  @Column({ type: 'varchar', length: 40 })
  username!: string;

  /** Form of the username under which it is unique: `Mila` and `mila` are the same. */
  @Index('accounts_normalized_username', { unique: true })
  @Column({ type: 'varchar', length: 40 })
  normalizedUsername!: string;

  /** Null after the owner of the only address said that the account is not theirs. */
  @Column({ type: 'varchar', length: 254, nullable: true })
  email!: string | null;

  @Index('accounts_normalized_email', { unique: true })
  @Column({ type: 'varchar', length: 254, nullable: true })
  normalizedEmail!: string | null;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  /** When the e-mail address was verified; null if it was not. */
  @Column(nullableColumn(timestampMs))
  emailVerifiedAt!: Date | null;

  /** Path of an uploaded picture below `BASE_URL`, or an https URL from the operator. */
  @Column({ type: 'varchar', length: 500, nullable: true })
  picture!: string | null;

  /** The language that the person chose; null for the language of the browser. */
  @Column({ type: 'varchar', length: 5, nullable: true })
  language!: Language | null;

  /** Whether the person is told by e-mail that suggestions were decided. */
  @Column({ type: 'boolean' })
  wantsDecisionMail!: boolean;

  /** The decisions up to this time were sent by e-mail; null if none were. */
  @Column(nullableColumn(timestampMs))
  decisionsToldAt!: Date | null;

  /** Argon2id hash in PHC string format. */
  @Column({ type: 'text' })
  passwordHash!: string;

  @Column(timestampMs)
  passwordChangedAt!: Date;

  /** When the person agreed to the license or the terms, at sign-up; null if there were none. */
  @Column(nullableColumn(timestampMs))
  termsAgreedAt!: Date | null;

  @Column({ type: 'varchar', length: 20 })
  role!: Role;

  /** Ids of the regions in which the role is valid, or `*`. */
  @Column(json)
  regions!: string[];

  @Column(timestampMs)
  createdAt!: Date;

  @Column(timestampMs)
  updatedAt!: Date;

  @Column(nullableColumn(timestampMs))
  blockedAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  blockedReason!: string | null;

  /** When the block ends by itself; null if the operator must end it. */
  @Column(nullableColumn(timestampMs))
  blockedUntil!: Date | null;

  /**
   * When the account got its first confirmed address by a reset of the password, or was deleted.
   * Access tokens from before are rejected.
   */
  @Index('accounts_access_removed')
  @Column(nullableColumn(timestampMs))
  accessRemovedAt!: Date | null;

  /** When the account was deleted; then the row has no personal data. */
  @Column(nullableColumn(timestampMs))
  deletedAt!: Date | null;
}

/** An account that has an e-mail address, as every new one does. */
export type AccountWithEmail = Account & { email: string; normalizedEmail: string };

/** The columns of a block. */
export type AccountBlock = Pick<Account, 'blockedAt' | 'blockedReason' | 'blockedUntil'>;

/** The columns of an account that was never blocked, or that was unblocked. */
export const NO_BLOCK = { blockedAt: null, blockedReason: null, blockedUntil: null } as const satisfies AccountBlock;

/** Whether an account is blocked. `IS_NOT_BLOCKED_SQL` is the same rule in SQL: change both. */
export function isBlocked(
  { blockedAt, blockedUntil }: Pick<AccountBlock, 'blockedAt' | 'blockedUntil'>,
  now = new Date(),
): boolean {
  return blockedAt !== null && (blockedUntil === null || blockedUntil > now);
}

/** Returns the normalized form under which a username or e-mail address is unique. */
export function normalizeUsernameOrEmail(usernameOrEmail: string): string {
  return usernameOrEmail.normalize('NFKC').toLowerCase();
}

/** Whether a text has the form of an e-mail address, and fits into its column. */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text) && normalizeUsernameOrEmail(text).length <= 254;
}
