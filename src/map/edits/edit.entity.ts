import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from '../../identity/accounts/account.entity.js';
import { App } from '../../identity/apps/app.entity.js';
import { idColumn, json, nullableColumn, timestampMs } from '../../platform/database/columns.js';
import type { FieldChange } from '../history/entity-version.entity.js';

/** Types of edits. */
export const EDIT_TYPES = ['create', 'update', 'delete'] as const;
export type EditType = (typeof EDIT_TYPES)[number];

/** Maximum of the integer columns for versions. */
export const MAX_VERSION = 2 ** 31 - 1;

/** Types of objects that edits change. */
export const TARGET_TYPES = ['artwork', 'artist'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/**
 * `open` becomes `accepted`, `rejected`, `superseded`, `withdrawn`, or `obsolete` if the target is
 * deleted; `accepted` can become `reverted`. There are no other changes.
 */
export const EDIT_STATUSES = [
  'open',
  'accepted',
  'rejected',
  'superseded',
  'withdrawn',
  'obsolete',
  'reverted',
] as const;
export type EditStatus = (typeof EDIT_STATUSES)[number];

/**
 * A change to an artwork or artist that a person suggested through an app, and that other people
 * review.
 */
@Entity('edits')
@Index('edits_author', ['authorId', 'createdAt', 'id'])
@Index('edits_queue', ['status', 'createdAt', 'id'])
@Index('edits_location', ['status', 'latE7'])
export class Edit {
  @PrimaryColumn(idColumn)
  id!: string;

  @Column({ type: 'varchar', length: 10 })
  type!: EditType;

  @Column({ type: 'varchar', length: 12 })
  status!: EditStatus;

  @Column({ type: 'varchar', length: 10 })
  targetType!: TargetType;

  /** Null for a creation until it is accepted. */
  @Index('edits_target')
  @Column(nullableColumn(idColumn))
  targetId!: string | null;

  /** Version of the target that the author saw. */
  @Column({ type: 'integer', nullable: true })
  baseVersion!: number | null;

  /** Region of the target. Artists are in no region. */
  @Column(nullableColumn(idColumn))
  regionId!: string | null;

  /** Region of the suggested location, if the edit changes the location. */
  @Column(nullableColumn(idColumn))
  destinationRegionId!: string | null;

  /** Location of the target in degrees × 10⁷; null for artists. */
  @Column({ type: 'integer', nullable: true })
  latE7!: number | null;

  @Column({ type: 'integer', nullable: true })
  lonE7!: number | null;

  /** Each changed field: its value when the edit was suggested, and its new value. */
  @Column(json)
  changes!: FieldChange[];

  @Column({ type: 'text', nullable: true })
  comment!: string | null;

  @Column({ type: 'varchar', length: 500, nullable: true })
  sourceUrl!: string | null;

  @Column(idColumn)
  authorId!: string;

  @ManyToOne(() => Account)
  @JoinColumn({ name: 'author_id', foreignKeyConstraintName: 'edits_author_fk' })
  author!: Relation<Account>;

  /** App through which the edit was suggested; null for a revert on a page of this service. */
  @Column(nullableColumn(idColumn))
  appId!: string | null;

  @ManyToOne(() => App, { nullable: true })
  @JoinColumn({ name: 'app_id', foreignKeyConstraintName: 'edits_app_fk' })
  app!: Relation<App> | null;

  @Column(timestampMs)
  createdAt!: Date;

  /** Time of the suggestion, the decision or the revert. */
  @Column(timestampMs)
  updatedAt!: Date;

  @Index('edits_decided')
  @Column(nullableColumn(timestampMs))
  decidedAt!: Date | null;

  @Index('edits_decided_by')
  @Column(nullableColumn(idColumn))
  decidedById!: string | null;

  @ManyToOne(() => Account, { nullable: true })
  @JoinColumn({ name: 'decided_by_id', foreignKeyConstraintName: 'edits_decided_by_fk' })
  decidedBy!: Relation<Account> | null;

  @Column({ type: 'text', nullable: true })
  decisionComment!: string | null;

  /** Version of the target after the acceptance. */
  @Column({ type: 'integer', nullable: true })
  resultVersion!: number | null;

  /** Id of the edit that this edit replaced. */
  @Column(nullableColumn(idColumn))
  supersedes!: string | null;

  /** Id of the edit that this edit reverts. */
  @Column(nullableColumn(idColumn))
  reverts!: string | null;

  /** Id of the edit that reverted this edit. */
  @Column(nullableColumn(idColumn))
  revertedBy!: string | null;
}

/** Columns of an edit, without the relations. */
export type EditRow = Omit<Edit, 'author' | 'app' | 'decidedBy'>;
