import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from '../../identity/accounts/account.entity.js';
import { id, json, nullable, timestampMs } from '../../platform/database/columns.js';

/** What a field of an artwork or artist can hold. */
export type FieldValue = string | number | string[] | { lat: number; lon: number } | null;

/** Values of fields, by name. */
export type FieldValues = Record<string, FieldValue>;

/** A field as it was, and as it became or should become. */
export interface FieldChange {
  field: string;
  from: FieldValue;
  to: FieldValue;
}

/** What came of a target in a version. */
export type VersionAction = 'created' | 'changed' | 'deleted' | 'restored';

/** An artwork or artist as it was in one of its versions. Rows are added and never changed; the database sees to it. */
@Entity('entity_versions')
export class EntityVersion {
  @PrimaryColumn(id)
  targetId!: string;

  @PrimaryColumn({ type: 'integer' })
  version!: number;

  @Column({ type: 'varchar', length: 10 })
  action!: VersionAction;

  /** All fields that edits change, as they were. */
  @Column(json)
  snapshot!: FieldValues;

  /** What this version changed of the one before. */
  @Column(json)
  changes!: FieldChange[];

  /** The edit that made it; none for what an operator brought in. */
  @Column(nullable(id))
  editId!: string | null;

  @Column(nullable(id))
  authorId!: string | null;

  @ManyToOne(() => Account, { nullable: true })
  @JoinColumn({ name: 'author_id', foreignKeyConstraintName: 'entity_versions_author_fk' })
  author!: Relation<Account> | null;

  @Column(timestampMs)
  createdAt!: Date;
}
