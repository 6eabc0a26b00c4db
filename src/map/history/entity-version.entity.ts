import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Account } from '../../identity/accounts/account.entity.js';
import { ApiSchema, ResponseField } from '../../platform/openapi/api-schema.decorator.js';
import { type JsonSchema, stringSchema } from '../../platform/openapi/json-schema.js';
import { idColumn, json, nullableColumn, timestampMs } from '../../platform/database/columns.js';

/** A photo of an artwork. */
export interface PhotoValue {
  url: string;
  credit: string | null;
  license: string | null;
  takenAt: string | null;
  alt: string | null;
}

/** Value of a field of an artwork or artist. */
export type FieldValue = string | number | string[] | PhotoValue[] | { lat: number; lon: number } | null;

/** The schema of `FieldValue`. */
export const FIELD_VALUE_SCHEMA: JsonSchema = {
  componentName: 'FieldValue',
  description: 'The value of a field of an artwork or artist. `null` if the field is empty.',
  anyOf: [
    { type: 'string', examples: ['Wolstraat 5, Halvenstad'] },
    { type: 'number' },
    { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'object' }] } },
    {
      type: 'object',
      properties: { lat: { type: 'number' }, lon: { type: 'number' } },
      required: ['lat', 'lon'],
    },
    { type: 'null' },
  ],
};

/** Returns the schema of `FieldValue` with the meaning of a member. */
export function describeFieldValue(description: string): JsonSchema {
  return { allOf: [FIELD_VALUE_SCHEMA], description };
}

/** Values of fields, by name. */
export type FieldValues = Record<string, FieldValue>;

/** Change of a field: the value before, and the value after. */
@ApiSchema('FieldChange', 'A field, with its value before and after a change.')
export class FieldChange {
  @ResponseField(stringSchema('Name of the field.', 'address'))
  field!: string;

  @ResponseField(describeFieldValue('Value before the change.'))
  from!: FieldValue;

  @ResponseField(describeFieldValue('Value after the change.'))
  to!: FieldValue;
}

/** How a version changed its target. */
export type VersionAction = 'created' | 'changed' | 'deleted' | 'restored';

/**
 * A version of an artwork or artist. Rows are insert-only: database triggers reject updates and
 * deletions.
 */
@Entity('entity_versions')
export class EntityVersion {
  @PrimaryColumn(idColumn)
  targetId!: string;

  @PrimaryColumn({ type: 'integer' })
  version!: number;

  @Column({ type: 'varchar', length: 10 })
  action!: VersionAction;

  /** All fields that edits can change, in this version. */
  @Column(json)
  snapshot!: FieldValues;

  /** Changes since the version before. */
  @Column(json)
  changes!: FieldChange[];

  /** The edit that created the version; null for data from an operator. */
  @Column(nullableColumn(idColumn))
  editId!: string | null;

  @Index('entity_versions_author')
  @Column(nullableColumn(idColumn))
  authorId!: string | null;

  @ManyToOne(() => Account, { nullable: true })
  @JoinColumn({ name: 'author_id', foreignKeyConstraintName: 'entity_versions_author_fk' })
  author!: Relation<Account> | null;

  @Column(timestampMs)
  createdAt!: Date;
}
