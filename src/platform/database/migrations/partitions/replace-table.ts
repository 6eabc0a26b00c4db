import { type QueryRunner, Table, TableIndex, type TableOptions } from 'typeorm';
import { createPartition, type PartitionedTable, planPartitions } from '../../partitions/partitions.js';
import { query } from '../../query.js';
import { normalizeColumnTypes } from '../../table-options.js';

/** SQL expressions of the old table, by the columns of the new one. */
type ColumnSources = Record<string, string>;

/** Replaces a table on SQLite, and copies its rows. */
export async function replaceTable(
  runner: QueryRunner,
  { indices = [], ...options }: TableOptions,
  columns: ColumnSources,
): Promise<void> {
  const created = new Table({ ...normalizeColumnTypes(runner, options), name: `${options.name}_new` });
  await runner.createTable(created);
  await copyRows(runner, options.name, created.name, columns);
  await runner.query(`DROP TABLE "${options.name}"`);
  await runner.query(`ALTER TABLE "${created.name}" RENAME TO "${options.name}"`);
  for (const index of indices) await runner.createIndex(options.name, new TableIndex(index));
}

/** A table on PostgreSQL that replaces the table of the same name. */
interface PostgresReplacement {
  /** Indexes of the old table that have the name of a new one. */
  indexes: string[];
  /** Statements that create the new table with its indexes, and its DEFAULT partition. */
  create: string[];
  /** If the new table is partitioned: the column of the times. */
  partitionedBy?: string;
  columns: ColumnSources;
}

/** Replaces a table on PostgreSQL, and copies its rows. */
export async function replacePostgresTable(
  runner: QueryRunner,
  table: string,
  { indexes, create, partitionedBy, columns }: PostgresReplacement,
): Promise<void> {
  const old = `${table}_old`;
  await runner.query(`ALTER TABLE "${table}" RENAME TO "${old}"`);
  for (const name of indexes) await runner.query(`DROP INDEX "${name}"`);
  for (const statement of create) await runner.query(statement);
  if (partitionedBy !== undefined) await createPartitions(runner, { table, column: partitionedBy }, old);
  await copyRows(runner, old, table, columns);
  await runner.query(`DROP TABLE "${old}"`);
}

/** Creates monthly partitions for the rows of a table. The service creates the later ones. */
async function createPartitions(runner: QueryRunner, table: PartitionedTable, old: string): Promise<void> {
  const [times] = await query<{ min: string | null; max: string | null }>(
    runner.manager,
    `SELECT min("${table.column}"), max("${table.column}") FROM "${old}"`,
  );
  if (times?.min == null) return;
  const range = { from: Number(times.min), until: Number(times.max), months: 1 };
  for (const partition of planPartitions(table, [], range)) await createPartition(runner.manager, table, partition);
}

async function copyRows(runner: QueryRunner, from: string, to: string, columns: ColumnSources): Promise<void> {
  const names = Object.keys(columns).map((column) => `"${column}"`);
  await runner.query(
    `INSERT INTO "${to}" (${names.join(', ')}) SELECT ${Object.values(columns).join(', ')} FROM "${from}"`,
  );
}
