import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { isPostgres, normalizeColumnTypes } from '../table-options.js';
import { CREATE_APPEND_ONLY_TRIGGERS, DROP_APPEND_ONLY_TRIGGERS } from './initial-schema/append-only-tables.js';
import { IDENTITY_TABLES } from './initial-schema/identity-tables.js';
import { MAP_TABLES } from './initial-schema/map-tables.js';
import { PLATFORM_TABLES } from './initial-schema/platform-tables.js';
import { CREATE_SEARCH_INDEX, DROP_SEARCH_INDEX } from './initial-schema/search-index.js';

const TABLES = [...PLATFORM_TABLES, ...IDENTITY_TABLES, ...MAP_TABLES];

/** PostgreSQL settings that TypeORM has no option for. */
const POSTGRES_TUNING = [
  // Each refresh token is updated once, when it is used. Free space in its page lets PostgreSQL
  // store the new row version there without index updates (HOT update).
  'ALTER TABLE "refresh_tokens" SET (fillfactor = 50)',
  // Sorted by bytes, as SQLite sorts, independent of the locale of the database.
  'ALTER TABLE "artists" ALTER COLUMN "name_sort_key" TYPE varchar(240) COLLATE "C"',
];

/** Creates all tables. Nothing was released before this schema, so no data is migrated. */
export class InitialSchema1764500000000 implements MigrationInterface {
  readonly name = 'InitialSchema1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    const database = isPostgres(runner) ? 'postgres' : 'sqlite';
    for (const options of TABLES) await runner.createTable(new Table(normalizeColumnTypes(runner, options)));
    for (const sql of database === 'postgres' ? POSTGRES_TUNING : []) await runner.query(sql);
    for (const sql of CREATE_SEARCH_INDEX[database]) await runner.query(sql);
    for (const sql of CREATE_APPEND_ONLY_TRIGGERS[database]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    const database = isPostgres(runner) ? 'postgres' : 'sqlite';
    for (const sql of DROP_APPEND_ONLY_TRIGGERS[database]) await runner.query(sql);
    for (const sql of DROP_SEARCH_INDEX[database]) await runner.query(sql);
    for (const { name } of [...TABLES].reverse()) await runner.dropTable(name);
  }
}
