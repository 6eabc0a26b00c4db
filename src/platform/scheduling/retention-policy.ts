import type { EntityManager, EntityTarget, FindOptionsOrder, FindOptionsWhere } from 'typeorm';

/** A rule that selects the expired rows of a table. The module that owns the table registers it. */
export interface RetentionPolicy<Row> {
  entity: EntityTarget<Row>;
  /** The property of the primary key. */
  key: keyof Row & string;
  /**
   * Selects the expired rows. An index must support it, in the order of `order`, so that a batch
   * reads no other rows.
   * @param now milliseconds since 1970
   */
  where: (now: number) => FindOptionsWhere<Row>;
  order: FindOptionsOrder<Row>;
  /** Deletes rows that depend on the deleted ones. @returns the number of dependent rows */
  afterDelete?: (tx: EntityManager, deleted: Row[]) => Promise<number>;
}
