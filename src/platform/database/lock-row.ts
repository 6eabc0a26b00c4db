import type { EntityManager, EntityTarget, FindOneOptions, FindOptionsWhere, ObjectLiteral } from 'typeorm';

/** Which row to hold, and what to read with it. */
interface LockRowOptions<T> {
  where: FindOptionsWhere<T>;
  relations?: FindOneOptions<T>['relations'];
}

/**
 * Reads a row that is about to be changed, and holds it until the transaction ends, so that nothing changes it between
 * reading and writing. On SQLite nothing does: transactions run one at a time. Rows are held in one order, the person's
 * account first and then what lies deeper, so that no two transactions wait for each other; and others may still point
 * to a row that is held.
 */
export async function lockRow<T extends ObjectLiteral>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  { where, relations }: LockRowOptions<T>,
): Promise<T | null> {
  if (tx.connection.options.type === 'postgres') {
    const row = await tx.findOne(entity, { where, lock: { mode: 'for_no_key_update' } });
    if (!row || !relations) return row;
  }
  // `findOne` with relations is two queries: its LIMIT needs the distinct ids first.
  const [row] = await tx.find(entity, { where, ...(relations && { relations }) });
  return row ?? null;
}
