import {
  type QueryRunner,
  Table,
  type TableColumnOptions,
  type TableForeignKeyOptions,
  type TableIndexOptions,
  type TableOptions,
} from 'typeorm';

/** A column of a migration, described once for both databases. */
export type ColumnDefinition = Omit<TableColumnOptions, 'name'>;

/** A prefix and a ULID. */
export const idDefinition: ColumnDefinition = { type: 'varchar', length: '40' };
/** A SHA-256 digest in base64url. */
export const digestText: ColumnDefinition = { type: 'varchar', length: '43' };
/** A SHA-256 digest as bytes. */
export const digestDefinition: ColumnDefinition = { type: 'blob' };
/** Milliseconds since 1970 in UTC. */
export const timestampDefinition: ColumnDefinition = { type: 'bigint' };
export const bigint: ColumnDefinition = { type: 'bigint' };
export const text: ColumnDefinition = { type: 'text' };
export const integer: ColumnDefinition = { type: 'integer' };
export const boolean: ColumnDefinition = { type: 'boolean' };
export const doublePrecision: ColumnDefinition = { type: 'double precision' };

/** A text of at most `length` characters. */
export function varchar(length: number): ColumnDefinition {
  return { type: 'varchar', length: String(length) };
}

/** The same column, nullable. */
export function nullableField(column: ColumnDefinition): ColumnDefinition {
  return { ...column, isNullable: true };
}

/** The same column with a default, as SQL. */
export function withDefault(column: ColumnDefinition, value: string): ColumnDefinition {
  return { ...column, default: value };
}

/** Whether a migration runs on PostgreSQL; otherwise it runs on SQLite. */
export function isPostgres({ connection }: QueryRunner): boolean {
  return connection.options.type === 'postgres';
}

/**
 * Creates a table with its column types and defaults spelled as the current database spells them.
 */
export async function createTable(runner: QueryRunner, options: TableOptions): Promise<void> {
  const { driver } = runner.connection;
  const columns = options.columns!.map((column) => ({
    ...column,
    type: driver.normalizeType(column),
    ...(column.default === 'false' && !isPostgres(runner) && { default: '0' }),
  }));
  await runner.createTable(new Table({ ...options, columns }));
}

/**
 * Creates a table that PostgreSQL partitions by a column of times, with its DEFAULT partition. On
 * SQLite, the table has no partitions.
 * @param storage storage parameters of the partitions
 */
export async function createPartitionedTable(
  runner: QueryRunner,
  options: TableOptions,
  { column, storage }: { column: string; storage?: string },
): Promise<void> {
  if (!isPostgres(runner)) return createTable(runner, options);
  const { name, columns } = options;
  const primaryKeyConstraintName = `${name}_pkey`;
  // TypeORM has no option for partitions, so its statements are collected and completed.
  runner.enableSqlMemory();
  await createTable(runner, {
    ...options,
    columns: columns!.map((column) => ({ ...column, primaryKeyConstraintName })),
  });
  const [create, ...createIndexes] = runner.getMemorySql().upQueries.map(({ query }) => query);
  runner.disableSqlMemory();
  await runner.query(`${create} PARTITION BY RANGE ("${column}")`);
  for (const sql of createIndexes) await runner.query(sql);
  await runner.query(
    `CREATE TABLE "${name}_default" PARTITION OF "${name}" DEFAULT${storage ? ` WITH (${storage})` : ''}`,
  );
}

/** Describes a table. @param primary the columns of its primary key */
export function table(
  name: string,
  primary: string[],
  columns: Record<string, ColumnDefinition>,
  constraints: { indices?: TableIndexOptions[]; foreignKeys?: TableForeignKeyOptions[] } = {},
): TableOptions {
  return {
    name,
    columns: Object.entries(columns).map(([column, definition]) => ({
      name: column,
      isPrimary: primary.includes(column),
      ...definition,
    })),
    ...constraints,
  };
}

/** Describes an index. */
export function index(name: string, ...columnNames: string[]): TableIndexOptions {
  return { name, columnNames };
}

/** Describes a unique index. */
export function uniqueIndex(name: string, ...columnNames: string[]): TableIndexOptions {
  return { name, columnNames, isUnique: true };
}

/** Describes a foreign key to the column `id` of another table. */
export function foreignKey(
  name: string,
  column: string,
  referencedTableName: string,
  onDelete?: string,
): TableForeignKeyOptions {
  return {
    name,
    columnNames: [column],
    referencedTableName,
    referencedColumnNames: ['id'],
    ...(onDelete && { onDelete }),
  };
}
