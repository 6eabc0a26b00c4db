import type { ColumnType } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

type NormalizeType = (this: PostgresDriver, column: { type?: ColumnType | undefined }) => string;

/**
 * Lets entities have a column of the type `blob` on PostgreSQL too, where it is `bytea`. TypeORM
 * has no binary column type that both databases have, and validates the types of entities with this
 * method.
 */
const prototype = PostgresDriver.prototype as { normalizeType: NormalizeType };
const { normalizeType } = prototype;
prototype.normalizeType = function (column) {
  return column.type === 'blob' ? 'bytea' : normalizeType.call(this, column);
};
