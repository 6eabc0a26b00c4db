import { Global, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { createDataSourceOptions } from '../../../ormconfig.js';
import { isInMemory, isSqlite } from '../config/database-url.js';
import { Settings } from '../config/settings.js';
import { migrate } from './migrate.js';
import { createPrivateFile } from './private-file.js';
import { TransactionService } from './transaction.service.js';
import { WriteAheadLog } from './write-ahead-log.js';

/** The migrations that this start applied. */
export class AppliedMigrations {
  constructor(readonly names: string[]) {}
}

/** The connection that writes: PostgreSQL's one pool, or a second connection to the SQLite file. */
const WRITE_DATA_SOURCE = Symbol('writer');

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Settings],
      useFactory: ({ DATABASE_URL }: Settings) => {
        if (isSqlite(DATABASE_URL) && !isInMemory(DATABASE_URL))
          createPrivateFile(DATABASE_URL.slice('sqlite:'.length));
        return { ...createDataSourceOptions(DATABASE_URL, 'read'), retryAttempts: 0 };
      },
    }),
  ],
  providers: [
    {
      provide: WRITE_DATA_SOURCE,
      inject: [Settings, getDataSourceToken()],
      useFactory: (settings: Settings, reader: DataSource) =>
        isSqlite(settings.DATABASE_URL) && !isInMemory(settings.DATABASE_URL)
          ? new DataSource(createDataSourceOptions(settings.DATABASE_URL, 'write')).initialize()
          : reader,
    },
    {
      provide: AppliedMigrations,
      inject: [Settings, WRITE_DATA_SOURCE],
      useFactory: async ({ DATABASE_URL }: Settings, writer: DataSource) => {
        const source = isSqlite(DATABASE_URL)
          ? writer
          : new DataSource(createDataSourceOptions(DATABASE_URL, 'migrate'));
        if (source === writer) return new AppliedMigrations(await migrate(writer));
        await source.initialize();
        return new AppliedMigrations(await migrate(source).finally(() => source.destroy()));
      },
    },
    {
      provide: TransactionService,
      inject: [WRITE_DATA_SOURCE, getDataSourceToken(), AppliedMigrations],
      useFactory: async (writer: DataSource, reader: DataSource) =>
        new TransactionService(writer, writer === reader ? undefined : await WriteAheadLog.open(writer)),
    },
  ],
  exports: [TransactionService, AppliedMigrations],
})
export class DatabaseModule {}
