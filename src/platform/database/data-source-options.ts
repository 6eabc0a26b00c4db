import type { Database as SqliteDatabase } from 'better-sqlite3';
import type { DataSourceOptions } from 'typeorm';
import { isInMemory, isSqlite } from '../config/database-url.js';
import { InitialSchema1764500000000 } from './migrations/1764500000000-initial-schema.js';
import { AddPublicClients1764600000000 } from './migrations/1764600000000-add-public-clients.js';
import { GroupFailedCallsByRule1764600300000 } from './migrations/1764600300000-group-failed-calls-by-rule.js';
import { AddAppNameSkeleton1764610000000 } from './migrations/1764610000000-add-app-name-skeleton.js';
import { AddSessionDetails1764620000000 } from './migrations/1764620000000-add-session-details.js';
import { AddOutgoingEmails1764700000000 } from './migrations/1764700000000-add-outgoing-emails.js';
import { AddKnownBrowsers1764710000000 } from './migrations/1764710000000-add-known-browsers.js';
import { AddAccountLinks1764720000000 } from './migrations/1764720000000-add-account-links.js';
import { AddProfilePictures1764730000000 } from './migrations/1764730000000-add-profile-pictures.js';
import { AddPasskeys1764740000000 } from './migrations/1764740000000-add-passkeys.js';
import { AddCodeAmr1764740100000 } from './migrations/1764740100000-add-code-amr.js';
import { AddAccountDeletion1764750000000 } from './migrations/1764750000000-add-account-deletion.js';
import { AddAppDetails1764760000000 } from './migrations/1764760000000-add-app-details.js';
import { AddAppUses1764770000000 } from './migrations/1764770000000-add-app-uses.js';
import { AddAppIcons1764780000000 } from './migrations/1764780000000-add-app-icons.js';
import { CloseEditsOfDeletedTargets1764790000000 } from './migrations/1764790000000-close-edits-of-deleted-targets.js';
import { IndexTextsByField1764785000000 } from './migrations/1764785000000-index-texts-by-field.js';
import { AddMapChanges1764810000000 } from './migrations/1764810000000-add-map-changes.js';
import { AddMarkerCells1764820000000 } from './migrations/1764820000000-add-marker-cells.js';
import { AddMarkerResponses1764830000000 } from './migrations/1764830000000-add-marker-responses.js';
import { AddPhotos1764840000000 } from './migrations/1764840000000-add-photos.js';
import { AddRateLimitWindows1764850000000 } from './migrations/1764850000000-add-rate-limit-windows.js';
import { PartitionRefreshTokens1764900000000 } from './migrations/1764900000000-partition-refresh-tokens.js';
import { PartitionAuditEvents1764900100000 } from './migrations/1764900100000-partition-audit-events.js';
import './postgres/binary-columns.js';
import { createPostgresOptions } from './postgres/postgres-options.js';
import { traceStatements } from './sqlite-spans.js';
import { SnakeCaseNamingStrategy } from './snake-case-naming.strategy.js';

/** All migrations, oldest first. */
const MIGRATIONS = [
  InitialSchema1764500000000,
  AddPublicClients1764600000000,
  GroupFailedCallsByRule1764600300000,
  AddAppNameSkeleton1764610000000,
  AddSessionDetails1764620000000,
  AddOutgoingEmails1764700000000,
  AddKnownBrowsers1764710000000,
  AddAccountLinks1764720000000,
  AddProfilePictures1764730000000,
  AddPasskeys1764740000000,
  AddCodeAmr1764740100000,
  AddAccountDeletion1764750000000,
  AddAppDetails1764760000000,
  AddAppUses1764770000000,
  AddAppIcons1764780000000,
  IndexTextsByField1764785000000,
  CloseEditsOfDeletedTargets1764790000000,
  AddMapChanges1764810000000,
  AddMarkerCells1764820000000,
  AddMarkerResponses1764830000000,
  AddPhotos1764840000000,
  AddRateLimitWindows1764850000000,
  PartitionRefreshTokens1764900000000,
  PartitionAuditEvents1764900100000,
];

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

/** The use of a data source. A migration has no time limits. */
export type DatabaseAccess = 'read' | 'write' | 'migrate';

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
      ...createPostgresOptions(url, { isUnlimited: access === 'migrate', poolSize }),
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
