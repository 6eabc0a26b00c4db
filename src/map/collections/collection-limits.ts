/** Maximum number of collections per person. */
export const MAX_COLLECTIONS_PER_PERSON = 200;

/** Maximum number of items per collection. */
export const MAX_ITEMS_PER_COLLECTION = 1000;
