import { Global, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { isInMemory, isSqlite } from '../config/database-url.js';
import { Settings } from '../config/settings.js';
import { migrate } from './migrate.js';
import { makeOwnFile } from './own-file.js';
import { Transactions } from './transactions.js';
import { WriteAheadLog } from './write-ahead-log.js';

/** The migrations that this start applied. */
export class AppliedMigrations {
  constructor(readonly names: string[]) {}
}

/** The connection that writes: PostgreSQL's one pool, or a second connection to the SQLite file. */
const WRITER = Symbol('writer');

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Settings],
      useFactory: ({ DATABASE_URL }: Settings) => {
        if (isSqlite(DATABASE_URL) && !isInMemory(DATABASE_URL)) makeOwnFile(DATABASE_URL.slice('sqlite:'.length));
        return { ...dataSourceOptions(DATABASE_URL, 'read'), retryAttempts: 0 };
      },
    }),
  ],
  providers: [
    {
      provide: WRITER,
      inject: [Settings, getDataSourceToken()],
      useFactory: (settings: Settings, reader: DataSource) =>
        isSqlite(settings.DATABASE_URL) && !isInMemory(settings.DATABASE_URL)
          ? new DataSource(dataSourceOptions(settings.DATABASE_URL, 'write')).initialize()
          : reader,
    },
    {
      provide: AppliedMigrations,
      inject: [Settings, WRITER],
      useFactory: async ({ DATABASE_URL }: Settings, writer: DataSource) => {
        const source = isSqlite(DATABASE_URL) ? writer : new DataSource(dataSourceOptions(DATABASE_URL, 'migrate'));
        if (source === writer) return new AppliedMigrations(await migrate(writer));
        await source.initialize();
        return new AppliedMigrations(await migrate(source).finally(() => source.destroy()));
      },
    },
    {
      provide: Transactions,
      inject: [WRITER, getDataSourceToken(), AppliedMigrations],
      useFactory: async (writer: DataSource, reader: DataSource) =>
        new Transactions(writer, writer === reader ? undefined : await WriteAheadLog.of(writer)),
    },
  ],
  exports: [Transactions, AppliedMigrations],
})
export class DatabaseModule {}
