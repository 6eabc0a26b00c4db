import type { EntityManager, ObjectLiteral } from 'typeorm';

/** Rows of a query written by hand; `:name` stands for a parameter and `:...name` for a list of them. */
export async function query<Row>(manager: EntityManager, sql: string, parameters: ObjectLiteral = {}): Promise<Row[]> {
  const [text, values] = manager.connection.driver.escapeQueryWithParameters(sql, parameters);
  const rows = await manager.query<Row[] | [Row[], number]>(text, values as unknown[]);
  return Array.isArray(rows[0]) ? rows[0] : (rows as Row[]); // TypeORM counts those of an UPDATE on PostgreSQL as well
}

/**
 * A list of texts or of rows, given as one parameter `:given` in JSON and joined as a table `given`: the statement stays the
 * same however many they are.
 */
export function buildRecordsetSql(manager: EntityManager, ...columns: string[]): string {
  return manager.connection.options.type === 'postgres'
    ? `jsonb_to_recordset(:given) AS given(${columns.map((column) => `"${column}" text`).join(', ')})`
    : `(SELECT ${columns.map((column) => `value ->> '${column}' AS "${column}"`).join(', ')} FROM json_each(:given)) AS given`;
}

/** What is looked for: the parts of a query, in which `given` is one of the rows that are given. */
interface LateralQuery {
  select: string;
  from: string;
  where: string;
  /**
   * Whether the rows of `from` are held until the transaction ends, one after the other as they are given. On SQLite
   * nothing changes them: transactions run one at a time.
   */
  lock?: boolean;
}

/**
 * A query for what belongs to each of the rows that are given (see `givenRows`): one look into the index for each, whatever
 * PostgreSQL believes of how many rows there are in its tables; on new ones it knows nothing, and would walk through them.
 */
export function buildLateralJoinSql(
  manager: EntityManager,
  columns: string[],
  { select, from, where, lock }: LateralQuery,
): string {
  const given = buildRecordsetSql(manager, ...columns);
  // PostgreSQL plans a select that locks or has an OFFSET by itself, for one row, and does not merge it into the whole.
  return manager.connection.options.type === 'postgres'
    ? `SELECT found.* FROM ${given} CROSS JOIN LATERAL
         (SELECT ${select} FROM ${from} WHERE ${where} ${lock ? 'FOR NO KEY UPDATE' : 'OFFSET 0'}) AS found`
    : `SELECT ${select} FROM ${given}, ${from} WHERE ${where}`;
}

/** How many values one statement carries at most: SQLite takes 32,766. */
const MAX_STATEMENT_PARAMETERS = 6000;

/** Inserts rows into a table that is no entity's. */
export async function insertRows<Returned>(
  tx: EntityManager,
  into: { table: string; columns: string[]; returning?: string },
  rows: unknown[][],
): Promise<Returned[]> {
  const marked = tx.connection.options.type === 'postgres';
  const most = Math.floor(MAX_STATEMENT_PARAMETERS / into.columns.length);
  const returned: Returned[] = [];
  for (let at = 0; at < rows.length; at += most) {
    const batch = rows.slice(at, at + most);
    const row = (n: number): string =>
      `(${into.columns.map((_, m) => (marked ? `$${n * into.columns.length + m + 1}` : '?')).join(', ')})`;
    const sql = `INSERT INTO ${into.table} (${into.columns.join(', ')}) VALUES ${batch.map((_, n) => row(n)).join(', ')}`;
    const rowsBack = await tx.query<Returned[]>(
      into.returning ? `${sql} RETURNING ${into.returning}` : sql,
      batch.flat(),
    );
    if (into.returning) returned.push(...rowsBack);
  }
  return returned;
}
