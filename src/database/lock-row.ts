import type { EntityManager, EntityTarget, FindOptionsWhere, ObjectLiteral } from 'typeorm';

/**
 * Holds a row until the transaction ends, so that nothing changes it between reading and writing. On SQLite nothing does:
 * transactions run one at a time.
 */
export async function lockRow<T extends ObjectLiteral & { id: string }>(
  tx: EntityManager,
  entity: EntityTarget<T>,
  id: string,
): Promise<void> {
  if (tx.connection.options.type !== 'postgres') return;
  await tx.findOne(entity, { where: { id } as FindOptionsWhere<T>, lock: { mode: 'pessimistic_write' } });
}
