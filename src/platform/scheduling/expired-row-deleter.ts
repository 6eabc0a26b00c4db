import { type EntityManager, type EntityTarget, type FindOptionsOrder, type FindOptionsWhere, In } from 'typeorm';

/** How many rows one transaction deletes: on an SQLite file nobody else can write meanwhile. */
export const DELETE_BATCH_SIZE = 500;

/** A table whose rows are known by a digest, and which of them are stale. */
interface RetentionPolicy<Row> {
  entity: EntityTarget<Row>;
  /** Finds them by an index, in its order: so that a batch never looks at rows that stay. */
  where: (now: number) => FindOptionsWhere<Row>;
  order: FindOptionsOrder<Row>;
  /** What goes with them. @returns how many rows that were */
  afterDelete?: (tx: EntityManager, deleted: Row[]) => Promise<number>;
}

/** The rows of a table that can no longer matter to anybody. */
export class ExpiredRowDeleter<Row extends { digest: string }> {
  constructor(private readonly policy: RetentionPolicy<Row>) {}

  count(manager: EntityManager): Promise<number> {
    return manager.countBy(this.policy.entity, this.policy.where(Date.now()));
  }

  /**
   * Deletes a batch, and what goes with it. A row that somebody else holds is left for another time.
   * @returns how many of the stale rows there were, a whole batch unless there are no more; and how many rows are gone in all
   */
  async deleteBatch(tx: EntityManager): Promise<{ stale: number; deleted: number }> {
    const { entity, where, order, afterDelete } = this.policy;
    const isPostgres = tx.connection.options.type === 'postgres';
    const rows = await tx.find(entity, {
      where: where(Date.now()),
      order,
      take: DELETE_BATCH_SIZE,
      ...(isPostgres && { lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' } }),
    });
    if (rows.length === 0) return { stale: 0, deleted: 0 };
    await tx.delete(entity, { digest: In(rows.map(({ digest }) => digest)) });
    return { stale: rows.length, deleted: rows.length + ((await afterDelete?.(tx, rows)) ?? 0) };
  }
}
