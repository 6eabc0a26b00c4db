import type { Database as SqliteDatabase } from 'better-sqlite3';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { Account } from './src/identity/accounts/account.entity.js';
import { Session } from './src/identity/accounts/session.entity.js';
import { SignInAttemptCounter } from './src/identity/accounts/sign-in-attempt-counter.entity.js';
import { App } from './src/identity/clients/app.entity.js';
import { isInMemory, isSqlite, readDatabaseUrl } from './src/platform/config/database-url.js';
import { Artist } from './src/map/artists/artist.entity.js';
import { AuditEvent } from './src/platform/audit/audit-event.entity.js';
import { Collection } from './src/map/collections/collection.entity.js';
import { CollectionItem } from './src/map/collections/collection-item.entity.js';
import { InitialSchema1764500000000 } from './src/platform/database/migrations/1764500000000-initial-schema.js';
import { SnakeCaseNamingStrategy } from './src/platform/database/snake-case-naming.strategy.js';
import { Edit } from './src/map/edits/edit.entity.js';
import { FailedCall } from './src/identity/clients/failed-calls/failed-call.entity.js';
import { EntityVersion } from './src/map/history/entity-version.entity.js';
import { SigningKey } from './src/identity/keys/signing-key.entity.js';
import { MarkerImport } from './src/map/markers/marker-import.entity.js';
import { Marker } from './src/map/markers/marker.entity.js';
import { Region } from './src/map/regions/region.entity.js';
import { Authorization } from './src/identity/oauth/authorization.entity.js';
import { AuthorizationCode } from './src/identity/oauth/authorize/authorization-code.entity.js';
import { Consent } from './src/identity/oauth/consents/consent.entity.js';
import { RefreshToken } from './src/identity/oauth/refresh-token.entity.js';
import { IdempotentResponse } from './src/identity/oauth/idempotent-response.entity.js';
import { ScheduledTask } from './src/platform/scheduling/scheduled-task.entity.js';

const entities = [
  Account,
  App,
  Artist,
  AuditEvent,
  Authorization,
  AuthorizationCode,
  ScheduledTask,
  Collection,
  CollectionItem,
  Consent,
  Edit,
  EntityVersion,
  FailedCall,
  MarkerImport,
  Marker,
  RefreshToken,
  Region,
  IdempotentResponse,
  Session,
  SigningKey,
  SignInAttemptCounter,
];
const migrations = [InitialSchema1764500000000];

/** Milliseconds that opening an SQLite file waits for another process that opens it. */
const SQLITE_OPEN_TIMEOUT_MS = 15_000;

/** Milliseconds in which SQLite waits for a lock while nothing else goes on in this process; then `begin` waits, asleep. */
const SQLITE_BUSY_TIMEOUT_MS = 50;

/** Pages of 4 KiB that SQLite gathers before it moves them into the file: rarer, so that fewer writers wait for it. */
const SQLITE_CHECKPOINT_PAGES = 16_000;

/**
 * Milliseconds after which PostgreSQL gives up a transaction whose process is frozen, and a statement, and after which one
 * that says nothing counts as away. Who waits for what a frozen process holds gets it in time.
 */
const POSTGRES_TIMEOUTS_MS = {
  idle_in_transaction_session_timeout: 5_000,
  statement_timeout: 10_000,
  query_timeout: 15_000,
};

/**
 * The one place that tells SQLite from PostgreSQL.
 *
 * On an SQLite file there are two connections: one that can only read, which repositories use, and one that writes, which
 * `Transactions` holds. So a read never sees half a transaction, and a write past the queue fails at once.
 */
export function createDataSourceOptions(url: string, access: 'read' | 'write' | 'migrate'): DataSourceOptions {
  const shared = {
    entities: access === 'migrate' ? [] : entities,
    migrations,
    namingStrategy: new SnakeCaseNamingStrategy(),
    migrationsTableName: 'migrations',
  };
  if (!isSqlite(url)) {
    return {
      ...shared,
      type: 'postgres',
      url,
      connectTimeoutMS: 5_000,
      extra: access === 'migrate' ? {} : POSTGRES_TIMEOUTS_MS, // changing tables takes what it takes
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
      database.pragma('temp_store = MEMORY'); // what a statement of many rows could have to undo
      database.pragma(`busy_timeout = ${SQLITE_BUSY_TIMEOUT_MS}`);
      if (access !== 'read' || isInMemory(url)) useImmediateTransactions(database);
      else database.pragma('query_only = ON');
    },
  };
}

/**
 * TypeORM begins transactions DEFERRED. One that reads before it writes then fails, without waiting, where another
 * process wrote in between (SQLITE_BUSY_SNAPSHOT); one that begins IMMEDIATE waits its turn first.
 */
function useImmediateTransactions(database: SqliteDatabase): void {
  const prepare = database.prepare.bind(database);
  database.prepare = (sql: string) => prepare(sql === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE TRANSACTION' : sql);
}

export default new DataSource(createDataSourceOptions(readDatabaseUrl(process.env), 'write'));
