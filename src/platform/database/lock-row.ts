import {
  type EntityManager,
  type EntityTarget,
  type FindOneOptions,
  type FindOptionsWhere,
  In,
  type ObjectLiteral,
} from 'typeorm';

/** The row to lock, and the relations to load. */
interface LockRowOptions<T> {
  where: FindOptionsWhere<T>;
  relations?: FindOneOptions<T>['relations'];
}

/**
 * Locks a row until the end of the transaction and returns it. All transactions lock rows in the
 * same order, the account first, which prevents deadlocks. Other transactions can still insert
 * references to a locked row. On SQLite no lock is needed: transactions run one at a time.
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

/** Locks several rows like `lockRow`, in the order of their ids. */
export async function lockRows<T extends { id: string }>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  ids: string[],
): Promise<void> {
  if (tx.connection.options.type !== 'postgres') return;
  await tx
    .createQueryBuilder(entity, 'row')
    .select('row.id')
    .where({ id: In(ids) })
    .orderBy('row.id')
    .setLock('for_no_key_update')
    .getRawMany();
}
