/**
 * Maximum size of each field that is a set. Sets are merged: additions and removals apply to the
 * current value.
 */
export const MAX_SET_SIZE_BY_FIELD: Record<string, number> = { tags: 20, artistIds: 10, medium: 5, aliases: 10 };
