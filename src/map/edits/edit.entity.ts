import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from '../../identity/accounts/account.entity.js';
import { App } from '../../identity/clients/app.entity.js';
import { id, json, nullable, timestampMs } from '../../platform/database/columns.js';
import type { FieldChange } from '../history/entity-version.entity.js';

export const EDIT_TYPES = ['create', 'update', 'delete'] as const;
export type EditType = (typeof EDIT_TYPES)[number];

/** Maximum of the integer columns for versions. */
export const MAX_VERSION = 2 ** 31 - 1;

export const TARGET_TYPES = ['artwork', 'artist'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** `open` becomes `accepted`, `rejected` or `superseded`; `accepted` may become `reverted`; nothing else changes. */
export const EDIT_STATUSES = ['open', 'accepted', 'rejected', 'superseded', 'reverted'] as const;
export type EditStatus = (typeof EDIT_STATUSES)[number];

/** A change to an artwork or artist that a person suggested, through an app, for others to review. */
@Entity('edits')
@Index('edits_author', ['authorId', 'createdAt', 'id'])
@Index('edits_queue', ['status', 'createdAt', 'id'])
export class Edit {
  @PrimaryColumn(id)
  id!: string;

  @Column({ type: 'varchar', length: 10 })
  type!: EditType;

  @Column({ type: 'varchar', length: 12 })
  status!: EditStatus;

  @Column({ type: 'varchar', length: 10 })
  targetType!: TargetType;

  /** None until the creation of a target is accepted. */
  @Index('edits_target')
  @Column(nullable(id))
  targetId!: string | null;

  /** The version of the target that the author saw. */
  @Column({ type: 'integer', nullable: true })
  baseVersion!: number | null;

  /** Where the target lies; artists lie in no region. */
  @Column(nullable(id))
  regionId!: string | null;

  /** Where the target would lie, if its location is to change. */
  @Column(nullable(id))
  destinationRegionId!: string | null;

  /** The place of the target, degrees × 10⁷; artists have none. */
  @Column({ type: 'integer', nullable: true })
  latE7!: number | null;

  @Column({ type: 'integer', nullable: true })
  lonE7!: number | null;

  /** Each field as it was when the edit was suggested, and as it should be. */
  @Column(json)
  changes!: FieldChange[];

  @Column({ type: 'text', nullable: true })
  comment!: string | null;

  @Column({ type: 'varchar', length: 500, nullable: true })
  sourceUrl!: string | null;

  @Column(id)
  authorId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'author_id', foreignKeyConstraintName: 'edits_author_fk' })
  author!: Relation<Account>;

  /** The app through which it was suggested. */
  @Column(id)
  appId!: string;

  @ManyToOne(() => App)
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'edits_app_fk' })
  app!: Relation<App>;

  @Column(timestampMs)
  createdAt!: Date;

  /** When it was suggested, decided or taken back. */
  @Column(timestampMs)
  updatedAt!: Date;

  @Column(nullable(timestampMs))
  decidedAt!: Date | null;

  @Column(nullable(id))
  decidedById!: string | null;

  @ManyToOne(() => Account, { nullable: true })
  @JoinColumn({ name: 'decided_by_id', foreignKeyConstraintName: 'edits_decided_by_fk' })
  decidedBy!: Relation<Account> | null;

  @Column({ type: 'text', nullable: true })
  decisionComment!: string | null;

  /** The version of the target that accepting made. */
  @Column({ type: 'integer', nullable: true })
  resultVersion!: number | null;

  /** The edit that this one took the place of. */
  @Column(nullable(id))
  supersedes!: string | null;

  /** The edit that this one undoes. */
  @Column(nullable(id))
  reverts!: string | null;

  /** The edit that undid this one. */
  @Column(nullable(id))
  revertedBy!: string | null;
}
