import {
  type QueryRunner,
  type TableColumnOptions,
  type TableForeignKeyOptions,
  type TableIndexOptions,
  type TableOptions,
} from 'typeorm';

/** The words in which migrations describe tables, for both databases. */
export type Column = Omit<TableColumnOptions, 'name'>;

export const id = { type: 'varchar', length: '40' };
export const maybeId = { ...id, isNullable: true };
export const digest = { type: 'varchar', length: '43' };
export const moment = { type: 'bigint' };
export const maybeMoment = { ...moment, isNullable: true };
export const text = { type: 'text' };
export const maybeText = { ...text, isNullable: true };
export const integer = { type: 'integer' };
export const maybeInteger = { ...integer, isNullable: true };
export const flag = { type: 'boolean' };
export const degrees = { type: 'double precision' };
export const words = (length: number): Column => ({ type: 'varchar', length: String(length) });
export const maybeWords = (length: number): Column => ({ ...words(length), isNullable: true });

/** Whether a migration runs on PostgreSQL, and not on SQLite. */
export function isPostgres({ connection }: QueryRunner): boolean {
  return connection.options.type === 'postgres';
}

/** The same table with the types as the database at hand calls them. */
export function inDialectOf({ connection }: QueryRunner, options: TableOptions): TableOptions {
  const columns = options.columns!.map((column) => ({ ...column, type: connection.driver.normalizeType(column) }));
  return { ...options, columns };
}

export function table(
  name: string,
  primary: string[],
  columns: Record<string, Column>,
  more: { indices?: TableIndexOptions[]; foreignKeys?: TableForeignKeyOptions[] } = {},
): TableOptions {
  const isPrimary = (column: string): boolean => primary.includes(column);
  return {
    name,
    columns: Object.entries(columns).map(([column, rest]) => ({ name: column, isPrimary: isPrimary(column), ...rest })),
    ...more,
  };
}

export function index(name: string, ...columnNames: string[]): TableIndexOptions {
  return { name, columnNames };
}

export function unique(name: string, ...columnNames: string[]): TableIndexOptions {
  return { name, columnNames, isUnique: true };
}

export function references(
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
