import { Global, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DataSource } from 'typeorm';
import { isInMemory, isSqlite } from '../config/database-url.js';
import { Settings } from '../config/settings.js';
import { createDataSourceOptions, type DatabaseAccess } from './data-source-options.js';
import { DatabaseFileError } from './database-unavailable.js';
import { migrate } from './migrate.js';
import { ReservedConnections } from './reserved-connections.js';
import { TransactionService } from './transaction.service.js';
import { WriteAheadLog } from './write-ahead-log.js';

/** The names of the migrations that this process applied at its start. */
export class AppliedMigrations {
  constructor(readonly names: string[]) {}
}

/**
 * The data source for writes: on PostgreSQL the one for reads, on SQLite a second connection to the
 * file.
 */
const WRITE_DATA_SOURCE = Symbol('WRITE_DATA_SOURCE');

/**
 * Connects to the database and applies the pending migrations. Entities come from
 * `TypeOrmModule.forFeature`.
 */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Settings],
      useFactory: ({ DATABASE_URL, DATABASE_POOL }: Settings) => {
        if (hasFile(DATABASE_URL)) createPrivateFile(DATABASE_URL.slice('sqlite:'.length));
        const poolSize = DATABASE_POOL - countReserved(DATABASE_POOL);
        const options = createDataSourceOptions(DATABASE_URL, 'read', poolSize);
        return { ...options, autoLoadEntities: true, retryAttempts: 0 };
      },
    }),
  ],
  providers: [
    {
      provide: WRITE_DATA_SOURCE,
      inject: [Settings, getDataSourceToken()],
      useFactory: ({ DATABASE_URL }: Settings, reader: DataSource) =>
        hasFile(DATABASE_URL) ? openDataSource(DATABASE_URL, 'write', reader) : reader,
    },
    {
      provide: AppliedMigrations,
      inject: [Settings, WRITE_DATA_SOURCE],
      useFactory: async ({ DATABASE_URL }: Settings, writer: DataSource) =>
        new AppliedMigrations(await (isSqlite(DATABASE_URL) ? migrate(writer) : migratePostgres(DATABASE_URL))),
    },
    {
      provide: TransactionService,
      inject: [WRITE_DATA_SOURCE, getDataSourceToken(), AppliedMigrations],
      useFactory: async (writer: DataSource, reader: DataSource) =>
        new TransactionService(writer, writer === reader ? undefined : await WriteAheadLog.open(writer)),
    },
    {
      provide: ReservedConnections,
      inject: [Settings, getDataSourceToken(), TransactionService],
      useFactory: (settings: Settings, reader: DataSource, transactions: TransactionService) =>
        isSqlite(settings.DATABASE_URL)
          ? new ReservedConnections(reader.manager, transactions)
          : openReservedPool(settings, reader),
    },
  ],
  exports: [TransactionService, AppliedMigrations, ReservedConnections],
})
export class DatabaseModule {}

function hasFile(databaseUrl: string): boolean {
  return isSqlite(databaseUrl) && !isInMemory(databaseUrl);
}

/** Nest adds the registered entities to the reading data source only. */
function openDataSource(
  databaseUrl: string,
  access: DatabaseAccess,
  { options: { entities } }: DataSource,
  poolSize?: number,
): Promise<DataSource> {
  return new DataSource({
    ...createDataSourceOptions(databaseUrl, access, poolSize),
    ...(entities && { entities }),
  }).initialize();
}

async function openReservedPool(
  { DATABASE_URL, DATABASE_POOL }: Settings,
  reader: DataSource,
): Promise<ReservedConnections> {
  const pool = await openDataSource(DATABASE_URL, 'refresh', reader, countReserved(DATABASE_POOL));
  return new ReservedConnections(pool.manager, new TransactionService(pool), pool);
}

/** Returns the number of reserved connections: 40 %, rounded down, and at least one. */
function countReserved(poolSize: number): number {
  return Math.max(1, Math.floor(0.4 * poolSize));
}

/** Uses a separate connection, because migrations have no statement timeout. */
async function migratePostgres(databaseUrl: string): Promise<string[]> {
  const source = await new DataSource(createDataSourceOptions(databaseUrl, 'migrate')).initialize();
  const report = (message: string): unknown => process.stderr.write(`${message}\n`);
  return migrate(source, report).finally(() => source.destroy());
}

/**
 * Creates the file of a new SQLite database, readable and writable by its owner only: it contains
 * e-mail addresses and password hashes. SQLite gives its other files the same permissions. An
 * existing file stays unchanged.
 * @throws DatabaseFileError
 */
function createPrivateFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && syscall === 'open') return;
    throw new DatabaseFileError(`The SQLite file ${path} cannot be created: ${message}.`, { cause: error });
  }
}
