import type { Database as SqliteDatabase, Statement } from 'better-sqlite3';
import { type ColumnType, type DataSourceOptions, DefaultNamingStrategy, type Table } from 'typeorm';
import { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { isInMemory, isSqlite } from '../config/database-url.js';
import { InitialSchema1795824000000 } from './migrations/1795824000000-initial-schema.js';
import { createPostgresOptions } from './postgres/postgres-options.js';
import { getTracer } from '../tracing/tracing.js';

/** All migrations, oldest first. */
const MIGRATIONS = [InitialSchema1795824000000];

/** Time that opening an SQLite file waits for another process that opens it. */
const SQLITE_OPEN_TIMEOUT_MS = 15_000;

/**
 * Time that SQLite waits for a lock. This wait blocks the process, so it is short.
 * `runInTransaction` repeats the attempt without blocking.
 */
const SQLITE_BUSY_TIMEOUT_MS = 50;

/**
 * Size of the write-ahead log at which SQLite starts a checkpoint, in pages of 4 KiB. Writers wait
 * for a checkpoint, so it must be rare.
 */
const SQLITE_CHECKPOINT_PAGES = 16_000;

/**
 * Part of an SQLite file that the reading connection maps into memory, so that a read needs no
 * system call for a page that the system has cached. This is the most that SQLite maps.
 */
const SQLITE_MAPPED_BYTES = 2 ** 31 - 2 ** 16;

/**
 * The use of a data source. A migration has no time limits. On PostgreSQL, connections for
 * `refresh` keep the plans of their statements.
 */
export type DatabaseAccess = 'read' | 'write' | 'refresh' | 'migrate';

/**
 * Returns the TypeORM options for a database URL, without entities: modules register their own.
 *
 * An SQLite file has two connections: a read-only one for repositories, and one for writes, which
 * only `TransactionService` uses. So a read never sees an uncommitted write, and a write outside
 * `TransactionService` fails.
 * @param url `DATABASE_URL`
 * @param poolSize limit of connections; on PostgreSQL only
 */
export function createDataSourceOptions(url: string, access: DatabaseAccess, poolSize?: number): DataSourceOptions {
  const shared = {
    migrations: MIGRATIONS,
    namingStrategy: new SnakeCaseNamingStrategy(),
    migrationsTableName: 'migrations',
  };
  if (!isSqlite(url)) {
    return {
      ...shared,
      type: 'postgres',
      ...createPostgresOptions(url, {
        isUnlimited: access === 'migrate',
        preparesStatements: access === 'refresh',
        poolSize,
      }),
    };
  }
  return {
    ...shared,
    type: 'better-sqlite3',
    database: url.slice('sqlite:'.length),
    timeout: SQLITE_OPEN_TIMEOUT_MS,
    prepareDatabase: (database: SqliteDatabase) => {
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = NORMAL'); // `WriteAheadLog` waits for the disk
      database.pragma(`wal_autocheckpoint = ${SQLITE_CHECKPOINT_PAGES}`);
      database.pragma('temp_store = MEMORY'); // for the statement journal of large statements
      database.pragma(`busy_timeout = ${SQLITE_BUSY_TIMEOUT_MS}`);
      traceStatements(database);
      if (access !== 'read' || isInMemory(url)) useImmediateTransactions(database);
      else {
        database.pragma('query_only = ON');
        database.pragma(`mmap_size = ${SQLITE_MAPPED_BYTES}`);
      }
    },
  };
}

/**
 * TypeORM begins transactions DEFERRED. Such a transaction fails without waiting if it reads first
 * and another process writes before it does (SQLITE_BUSY_SNAPSHOT). An IMMEDIATE transaction waits
 * for the write lock first.
 */
function useImmediateTransactions(database: SqliteDatabase): void {
  const prepare = database.prepare.bind(database);
  database.prepare = (sql: string) => prepare(sql === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE TRANSACTION' : sql);
}

const toSnakeCase = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

/** Names columns in snake case: `createdAt` becomes `created_at`. Entities name their tables. */
class SnakeCaseNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined, embeddedPrefixes: string[]): string {
    return [...embeddedPrefixes, customName ?? toSnakeCase(propertyName)].join('_');
  }

  override indexName(tableOrName: Table | string, columnNames: string[]): string {
    return [this.getTableName(tableOrName), ...columnNames].join('_');
  }
}

const SPAN_ATTRIBUTES = { 'db.system.name': 'sqlite' };

/** Records spans for the statements of a connection, if tracing is on. */
function traceStatements(database: SqliteDatabase): void {
  const tracer = getTracer();
  if (!tracer) return;
  const prepare = database.prepare.bind(database) as (sql: string) => Statement;
  const prepareTraced = (sql: string): Statement => {
    const statement = prepare(sql);
    const trace =
      <Result>(execute: (...values: unknown[]) => Result) =>
      (...values: unknown[]) =>
        tracer.traceBlockingStatement(SPAN_ATTRIBUTES, sql, () => execute(...values));
    return Object.assign(statement, {
      run: trace(statement.run.bind(statement)),
      get: trace(statement.get.bind(statement)),
      all: trace(statement.all.bind(statement)),
    });
  };
  Object.assign(database, { prepare: prepareTraced });
}

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
