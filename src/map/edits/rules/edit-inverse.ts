import type { FieldChange } from '../../history/entity-version.entity.js';
import type { EditRow } from '../edit.entity.js';

/** Change of a target that an edit contains. */
export type ProposedChange = Pick<EditRow, 'type' | 'targetType' | 'targetId' | 'changes' | 'reverts'>;

const INVERSE_TYPE = { create: 'delete', update: 'update', delete: 'create' } as const;

/**
 * Returns the inverse of an accepted edit: a deletion for a creation, a restoration for a deletion.
 * @param applied the changes that the edit made to its target. They can be fewer than the suggested
 * changes.
 */
export function invertEdit({ id, type, targetType, targetId }: EditRow, applied: FieldChange[]): ProposedChange {
  const inverted = applied.map(({ field, from, to }) => ({ field, from: to, to: from }));
  return { type: INVERSE_TYPE[type], targetType, targetId, changes: type === 'update' ? inverted : [], reverts: id };
}
