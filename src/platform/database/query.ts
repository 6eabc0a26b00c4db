import type { Database as SqliteDatabase, Statement } from 'better-sqlite3';
import { type EntityManager, type ObjectLiteral, QueryFailedError } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';

/**
 * Runs a raw SQL query. `:name` is a parameter, `:...name` is a list of parameters.
 * @returns the rows
 */
export async function query<Row>(manager: EntityManager, sql: string, parameters: ObjectLiteral = {}): Promise<Row[]> {
  const { driver, options } = manager.connection;
  if (options.type !== 'postgres') return querySqlite(driver as BetterSqlite3Driver, sql, parameters) as Row[];
  const [text, values] = driver.escapeQueryWithParameters(sql, parameters);
  const rows = await manager.query<Row[] | [Row[], number]>(text, values as unknown[]);
  // TypeORM adds the number of rows to an UPDATE on PostgreSQL
  return Array.isArray(rows[0]) ? rows[0] : (rows as Row[]);
}

/** A query that has no list of parameters, and so always the same statement. */
interface PreparedQuery {
  statement: Statement;
  /** The names of its parameters, in order. */
  names: string[];
}

/** Prepared queries of each connection, by their SQL. */
const sqliteQueries = new WeakMap<SqliteDatabase, Map<string, PreparedQuery>>();
const MAX_SQLITE_QUERIES = 200;

const PARAMETER = /:(\.\.\.)?([A-Za-z0-9_]+)/g;

/** TypeORM takes longer than SQLite for a small read, because it awaits several promises. */
function querySqlite({ databaseConnection, dataSource }: BetterSqlite3Driver, sql: string, parameters: ObjectLiteral) {
  const [text, values] = sql.includes(':...') ? expandLists(sql, parameters) : [sql, []];
  try {
    const { statement, names } = prepareOnce(databaseConnection as SqliteDatabase, text);
    const named = names.map((name) => toSqliteValue((parameters as Record<string, unknown>)[name]));
    dataSource.logger.logQuery(text, named);
    return execute(statement, [...values, ...named]);
  } catch (error) {
    throw new QueryFailedError(text, values, error as Error);
  }
}

function execute(statement: Statement, values: unknown[]): unknown[] {
  if (statement.reader) return statement.all(...values);
  statement.run(...values);
  return [];
}

/** TypeORM would write numbers into the text, and so prepare a statement for each number. */
function prepareOnce(database: SqliteDatabase, sql: string): PreparedQuery {
  let queries = sqliteQueries.get(database);
  if (!queries) sqliteQueries.set(database, (queries = new Map<string, PreparedQuery>()));
  const known = queries.get(sql);
  if (known) return known;
  const names = [...sql.matchAll(PARAMETER)].map(([, , name]) => name!);
  const prepared = { statement: database.prepare(sql.replaceAll(PARAMETER, '?')), names };
  if (queries.size >= MAX_SQLITE_QUERIES) queries.clear();
  queries.set(sql, prepared);
  return prepared;
}

function expandLists(sql: string, parameters: ObjectLiteral): [text: string, values: unknown[]] {
  const values: unknown[] = [];
  const text = sql.replaceAll(PARAMETER, (_, isList: string | undefined, name: string) => {
    const value = (parameters as Record<string, unknown>)[name];
    const list = isList ? (value as unknown[]) : [value];
    values.push(...list.map(toSqliteValue));
    return list.map(() => '?').join(', ');
  });
  return [text, values];
}

/** An integer becomes a `bigint`: `better-sqlite3` binds a number as a floating-point value. */
function toSqliteValue(value: unknown): unknown {
  return Number.isInteger(value) || typeof value === 'boolean' ? BigInt(value as number | boolean) : value;
}

/**
 * Returns SQL for a table `input` with text columns, whose rows are the parameter `:input`, a JSON
 * array. The statement is the same for any number of rows.
 */
export function buildRecordsetSql(manager: EntityManager, ...columns: string[]): string {
  return manager.connection.options.type === 'postgres'
    ? `jsonb_to_recordset(:input) AS input(${columns.map((column) => `"${column}" text`).join(', ')})`
    : `(SELECT ${columns.map((column) => `value ->> '${column}' AS "${column}"`).join(', ')} FROM json_each(:input)) AS input`;
}

/** Returns SQL for the bytes of a text in hexadecimal digits, such as a digest in `input`. */
export function buildBytesSql(manager: EntityManager, hex: string): string {
  return manager.connection.options.type === 'postgres' ? `decode(${hex}, 'hex')` : `unhex(${hex})`;
}

/** The parts of a lateral join, in which `input` is the current input row. */
interface LateralQuery {
  select: string;
  from: string;
  where: string;
  /**
   * Locking clauses, such as `FOR UPDATE`, that hold until the end of the transaction. On SQLite no
   * lock is needed: transactions run one at a time.
   */
  lock?: string;
}

/**
 * Returns a query that joins rows to each input row (see `buildRecordsetSql`) by one index lookup
 * per input row. PostgreSQL has no statistics for new tables, and could choose a sequential scan
 * for a plain join.
 */
export function buildLateralJoinSql(
  manager: EntityManager,
  columns: string[],
  { select, from, where, lock }: LateralQuery,
): string {
  const input = buildRecordsetSql(manager, ...columns);
  // PostgreSQL does not merge a subquery with OFFSET or a lock into the outer query.
  return manager.connection.options.type === 'postgres'
    ? `SELECT found.* FROM ${input} CROSS JOIN LATERAL
         (SELECT ${select} FROM ${from} WHERE ${where} ${lock ?? 'OFFSET 0'}) AS found`
    : `SELECT ${select} FROM ${input}, ${from} WHERE ${where}`;
}

/**
 * Returns a condition that is true for the rows of a table that a join with `keys` finds. With it,
 * PostgreSQL looks up each key in the index, and only in the partitions between the lowest and the
 * highest partition key. Without it, an update of the join could read the whole table, see
 * `buildLateralJoinSql`. SQLite uses the index for the join itself.
 * @param columns of the index, in the table and in `keys`: a unique key and the partition key
 * @param keys the name of a common table expression
 */
export function buildIndexLookupSql(
  manager: EntityManager,
  table: string,
  [unique, partition]: [unique: string, partition: string],
  keys: string,
): string {
  if (manager.connection.options.type !== 'postgres') return 'TRUE';
  const [lowest, highest] = ['min', 'max'].map((bound) => `(SELECT ${bound}(${partition}) FROM ${keys})`);
  return `${table}.${unique} = ANY(ARRAY(SELECT ${unique} FROM ${keys}))
    AND ${table}.${partition} BETWEEN ${lowest} AND ${highest}`;
}

/** Limit of parameters per statement. SQLite allows 32,766. */
const MAX_STATEMENT_PARAMETERS = 6000;

/**
 * Inserts rows into a table that has no entity.
 * @param into `onConflict` is what follows ON CONFLICT
 * @returns the columns in `returning`, by row
 */
export async function insertRows<Returned>(
  tx: EntityManager,
  into: { table: string; columns: string[]; onConflict?: string; returning?: string },
  rows: unknown[][],
): Promise<Returned[]> {
  const usesNumbers = tx.connection.options.type === 'postgres';
  const batchSize = Math.floor(MAX_STATEMENT_PARAMETERS / into.columns.length);
  const returned: Returned[] = [];
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = rows.slice(start, start + batchSize);
    const row = (n: number): string =>
      `(${into.columns.map((_, m) => (usesNumbers ? `$${n * into.columns.length + m + 1}` : '?')).join(', ')})`;
    const sql = [
      `INSERT INTO ${into.table} (${into.columns.join(', ')}) VALUES ${batch.map((_, n) => row(n)).join(', ')}`,
      into.onConflict ? `ON CONFLICT ${into.onConflict}` : '',
      into.returning ? `RETURNING ${into.returning}` : '',
    ].join(' ');
    const rowsBack = await tx.query<Returned[]>(sql, batch.flat());
    if (into.returning) returned.push(...rowsBack);
  }
  return returned;
}
