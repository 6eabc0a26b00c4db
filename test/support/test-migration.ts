import { DataSource, type DataSourceOptions, type Logger, type MigrationInterface, type QueryRunner } from 'typeorm';
import { createOrmConfig } from '../../ormconfig.js';
import { migrate } from '../../src/platform/database/migrate.js';

/** The class of a migration. */
export type MigrationClass = new () => MigrationInterface;

/** Returns a migration that runs `up`. Its name ends with a timestamp, as TypeORM requires. */
export function defineMigration(name: string, up: (runner: QueryRunner) => Promise<unknown>): MigrationClass {
  return class implements MigrationInterface {
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      await up(runner);
    }

    down(): Promise<void> {
      return Promise.reject(new Error('No test reverts this migration.'));
    }
  };
}

/** Returns a migration that runs `up` without a transaction. */
export function defineMigrationWithoutTransaction(
  name: string,
  up: (runner: QueryRunner) => Promise<unknown>,
): MigrationClass {
  return class extends defineMigration(name, up) {
    override readonly transaction = false;
  };
}

/**
 * Migrates a database as a starting process does, with additional migrations.
 * @returns the names of the migrations that this call applied
 */
export async function migrateWith(
  url: string,
  additional: MigrationClass[],
  report?: (message: string) => void,
  logger?: Logger,
): Promise<string[]> {
  const config = createOrmConfig(url, 'migrate');
  const migrations = [...(config.migrations as MigrationClass[]), ...additional];
  const options = { ...config, migrations, ...(logger && { logger }) } as DataSourceOptions;
  const source = await new DataSource(options).initialize();
  return migrate(source, report).finally(() => source.destroy());
}

/**
 * Migrates an empty database with additional migrations.
 * @returns the statements of each migration, by its name
 */
export async function recordMigrations(url: string, additional: MigrationClass[]): Promise<Map<string, string[]>> {
  const recorded = new Map<string, string[]>();
  let statements: string[] = [];
  const logQuery = (sql: string, parameters?: unknown[]): void => {
    if (!sql.startsWith('INSERT INTO "migrations"')) return void statements.push(sql);
    recorded.set(parameters![1] as string, statements);
    statements = [];
  };
  const ignore = (): void => undefined;
  const logger = { logQuery, logQueryError: ignore, logQuerySlow: ignore, logSchemaBuild: ignore };
  await migrateWith(url, additional, undefined, { ...logger, logMigration: ignore, log: ignore });
  return recorded;
}
