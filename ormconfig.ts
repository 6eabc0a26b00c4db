import type { Database as SqliteDatabase } from 'better-sqlite3';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { Account } from './src/accounts/account.entity.js';
import { Session } from './src/accounts/session.entity.js';
import { SignInAttempts } from './src/accounts/sign-in-attempts.entity.js';
import { App } from './src/apps/app.entity.js';
import { isInMemory, isSqlite, readDatabaseUrl } from './src/config/database-url.js';
import { Artist } from './src/artists/artist.entity.js';
import { AuditEvent } from './src/audit/audit-event.entity.js';
import { Collection } from './src/collections/collection.entity.js';
import { CollectionItem } from './src/collections/collection-item.entity.js';
import { FirstTables1763600000000 } from './src/database/migrations/1763600000000-first-tables.js';
import { SignInAndConsent1763700000000 } from './src/database/migrations/1763700000000-sign-in-and-consent.js';
import { TheMap1763800000000 } from './src/database/migrations/1763800000000-the-map.js';
import { CleanUp1763900000000 } from './src/database/migrations/1763900000000-clean-up.js';
import { RoomForUpdates1764000000000 } from './src/database/migrations/1764000000000-room-for-updates.js';
import { AuditTrail1764100000000 } from './src/database/migrations/1764100000000-audit-trail.js';
import { TwoSecrets1764200000000 } from './src/database/migrations/1764200000000-two-secrets.js';
import { HelpForDevelopers1764300000000 } from './src/database/migrations/1764300000000-help-for-developers.js';
import { SnakeCaseNaming } from './src/database/snake-case-naming.js';
import { Edit } from './src/edits/edit.entity.js';
import { FailedCall } from './src/failed-calls/failed-call.entity.js';
import { EntityVersion } from './src/history/entity-version.entity.js';
import { SigningKey } from './src/keys/signing-key.entity.js';
import { Import } from './src/markers/import.entity.js';
import { Marker } from './src/markers/marker.entity.js';
import { Region } from './src/markers/region.entity.js';
import { Authorization } from './src/oauth/authorization.entity.js';
import { AuthorizationCode } from './src/oauth/authorize/authorization-code.entity.js';
import { Consent } from './src/oauth/consents/consent.entity.js';
import { RefreshToken } from './src/oauth/refresh-token.entity.js';
import { SealedAnswer } from './src/oauth/sealed-answer.entity.js';
import { Chore } from './src/operations/chore.entity.js';

const entities = [
  Account,
  App,
  Artist,
  AuditEvent,
  Authorization,
  AuthorizationCode,
  Chore,
  Collection,
  CollectionItem,
  Consent,
  Edit,
  EntityVersion,
  FailedCall,
  Import,
  Marker,
  RefreshToken,
  Region,
  SealedAnswer,
  Session,
  SigningKey,
  SignInAttempts,
];
const migrations = [
  FirstTables1763600000000,
  SignInAndConsent1763700000000,
  TheMap1763800000000,
  CleanUp1763900000000,
  RoomForUpdates1764000000000,
  AuditTrail1764100000000,
  TwoSecrets1764200000000,
  HelpForDevelopers1764300000000,
];

/** Milliseconds that opening an SQLite file waits for another process that opens it. */
const SQLITE_OPEN_TIMEOUT = 15_000;

/** Milliseconds in which SQLite waits for a lock while nothing else goes on in this process; then `begin` waits, asleep. */
const SQLITE_BUSY_TIMEOUT = 50;

/** Pages of 4 KiB that SQLite gathers before it moves them into the file: rarer, so that fewer writers wait for it. */
const SQLITE_CHECKPOINT_PAGES = 16_000;

/**
 * Milliseconds after which PostgreSQL gives up a transaction whose process is frozen, and a statement, and after which one
 * that says nothing counts as away. Who waits for what a frozen process holds gets it in time.
 */
const POSTGRES_TIMEOUTS = {
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
export function dataSourceOptions(url: string, access: 'read' | 'write' | 'migrate'): DataSourceOptions {
  const shared = {
    entities: access === 'migrate' ? [] : entities,
    migrations,
    namingStrategy: new SnakeCaseNaming(),
    migrationsTableName: 'migrations',
  };
  if (!isSqlite(url)) {
    return {
      ...shared,
      type: 'postgres',
      url,
      connectTimeoutMS: 5_000,
      extra: access === 'migrate' ? {} : POSTGRES_TIMEOUTS, // changing tables takes what it takes
    };
  }
  return {
    ...shared,
    type: 'better-sqlite3',
    database: url.slice('sqlite:'.length),
    timeout: SQLITE_OPEN_TIMEOUT,
    prepareDatabase: (database: SqliteDatabase) => {
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = NORMAL'); // `WriteAheadLog` waits for the disk
      database.pragma(`wal_autocheckpoint = ${SQLITE_CHECKPOINT_PAGES}`);
      database.pragma('temp_store = MEMORY'); // what a statement of many rows could have to undo
      database.pragma(`busy_timeout = ${SQLITE_BUSY_TIMEOUT}`);
      if (access !== 'read' || isInMemory(url)) beginImmediately(database);
      else database.pragma('query_only = ON');
    },
  };
}

/**
 * TypeORM begins transactions DEFERRED. One that reads before it writes then fails, without waiting, where another
 * process wrote in between (SQLITE_BUSY_SNAPSHOT); one that begins IMMEDIATE waits its turn first.
 */
function beginImmediately(database: SqliteDatabase): void {
  const prepare = database.prepare.bind(database);
  database.prepare = (sql: string) => prepare(sql === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE TRANSACTION' : sql);
}

export default new DataSource(dataSourceOptions(readDatabaseUrl(process.env), 'write'));
