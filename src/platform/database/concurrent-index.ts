import { type QueryRunner, TableIndex, type TableIndexOptions } from 'typeorm';
import { MIGRATION_LOCK_TIMEOUT_MS } from './postgres/apply-online.js';
import { isPostgres } from './table-options.js';

/** Length at which PostgreSQL cuts a name. */
const MAX_NAME_LENGTH = 63;

/**
 * Builds an index on an existing table while other processes write to it. The migration needs
 * `transaction = false`. A repeated call drops an index that a failed build left, and keeps a
 * complete one. On a partitioned table, each partition gets its index in turn. In a transaction and
 * on SQLite, the index is built as usual.
 */
export async function createIndexConcurrently(
  runner: QueryRunner,
  table: string,
  index: TableIndexOptions,
): Promise<void> {
  if (!isPostgres(runner) || runner.isTransactionActive) return runner.createIndex(table, new TableIndex(index));
  if ((await findValidity(runner, index.name!)) === 'valid') return;
  const partitions = await findPartitions(runner, table);
  if (!partitions) return build(runner, table, index);
  await runBriefly(runner, buildSql('IF NOT EXISTS', `ONLY "${table}"`, index));
  for (const partition of partitions) {
    const name = `${partition}_${index.name}`.slice(0, MAX_NAME_LENGTH);
    await build(runner, partition, { ...index, name });
    await runBriefly(runner, `ALTER INDEX "${index.name}" ATTACH PARTITION "${name}"`);
  }
}

/** Drops an index while other processes use its table, in a migration as above. */
export async function dropIndexConcurrently(runner: QueryRunner, table: string, name: string): Promise<void> {
  if (!isPostgres(runner) || runner.isTransactionActive) return runner.dropIndex(table, name);
  if (await findPartitions(runner, table)) return runBriefly(runner, `DROP INDEX IF EXISTS "${name}"`);
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`);
}

async function build(runner: QueryRunner, table: string, index: TableIndexOptions): Promise<void> {
  const validity = await findValidity(runner, index.name!);
  if (validity === 'valid') return;
  if (validity === 'invalid') await runner.query(`DROP INDEX CONCURRENTLY "${index.name}"`);
  await runner.query(buildSql('CONCURRENTLY', `"${table}"`, index));
}

function buildSql(option: string, table: string, { name, columnNames, isUnique, where }: TableIndexOptions): string {
  const columns = columnNames.map((column) => `"${column}"`).join(', ');
  const kind = isUnique ? 'UNIQUE INDEX' : 'INDEX';
  return `CREATE ${kind} ${option} "${name}" ON ${table} (${columns})${where ? ` WHERE ${where}` : ''}`;
}

/** @returns undefined if the index does not exist */
async function findValidity(runner: QueryRunner, name: string): Promise<'valid' | 'invalid' | undefined> {
  const sql = 'SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)';
  const [row] = (await runner.query(sql, [`"${name}"`])) as { indisvalid: boolean }[];
  return row && (row.indisvalid ? 'valid' : 'invalid');
}

/** @returns the names of the partitions; undefined if the table has none by its definition */
async function findPartitions(runner: QueryRunner, table: string): Promise<string[] | undefined> {
  const sql = `SELECT ARRAY(SELECT child.relname::text FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
      WHERE inhparent = parent.oid ORDER BY child.relname) AS names
    FROM pg_class parent WHERE parent.oid = to_regclass($1) AND parent.relkind = 'p'`;
  const [row] = (await runner.query(sql, [`"${table}"`])) as { names: string[] }[];
  return row?.names;
}

/** Runs a statement that blocks others, in a transaction that does not wait long for its lock. */
async function runBriefly(runner: QueryRunner, sql: string): Promise<void> {
  await runner.query(`SET LOCAL lock_timeout = ${MIGRATION_LOCK_TIMEOUT_MS}; ${sql}`);
}
