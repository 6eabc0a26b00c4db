import { randomBytes } from 'node:crypto';
import { copyFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { createTempFolder } from './temp-folder.js';

/** A database of one test file. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Whether the tests run on PostgreSQL; otherwise they run on SQLite. */
export const isPostgres = process.env['TEST_DATABASE'] === 'postgres';

/** Creates an empty database of the kind that this run uses. */
export async function createDatabase(): Promise<TestDatabase> {
  return isPostgres ? createPostgresDatabase() : createSqliteDatabase();
}

/** Creates a folder for an SQLite file; the service creates the file. */
export async function createSqliteDatabase(): Promise<TestDatabase> {
  const folder = await createTempFolder();
  return { url: `sqlite:${join(folder.path, 'test.sqlite')}`, drop: folder.remove };
}

/**
 * Creates a copy of a database that has its tables and signing keys. The first call in a Jest
 * worker creates the original.
 * @param prepare migrates the original and adds the signing keys
 */
export async function copyTemplateDatabase(prepare: (url: string) => Promise<void>): Promise<TestDatabase> {
  const id = process.env['TEST_TEMPLATE_ID'];
  const folder = process.env['TEST_TEMPLATE_FOLDER'];
  if (id === undefined || folder === undefined) return createDatabase();
  const worker = process.env['JEST_WORKER_ID'];
  return isPostgres
    ? copyPostgresTemplate(`street_art_template_${id}_${worker}`, prepare)
    : copySqliteTemplate(join(folder, `template-${worker}.sqlite`), prepare);
}

/** Copies a database that no process uses, like a backup of it. */
export async function copyDatabase({ url }: TestDatabase): Promise<TestDatabase> {
  if (isPostgres) return createPostgresDatabase(new URL(url).pathname.slice(1));
  const copy = await createSqliteDatabase();
  await copyFile(url.slice('sqlite:'.length), copy.url.slice('sqlite:'.length));
  return copy;
}

async function copySqliteTemplate(file: string, prepare: (url: string) => Promise<void>): Promise<TestDatabase> {
  const exists = await stat(file).then(
    () => true,
    () => false,
  );
  if (!exists) await prepare(`sqlite:${file}`);
  const database = await createSqliteDatabase();
  await copyFile(file, database.url.slice('sqlite:'.length));
  return database;
}

async function copyPostgresTemplate(name: string, prepare: (url: string) => Promise<void>): Promise<TestDatabase> {
  const { rows } = await executeStatement(getServerUrl(), `SELECT 1 FROM pg_database WHERE datname = '${name}'`);
  if (rows.length === 0) {
    await executeStatement(getServerUrl(), `CREATE DATABASE ${name}`);
    await prepare(getServerUrl(name).href);
  }
  return createPostgresDatabase(name);
}

async function createPostgresDatabase(template = 'template1'): Promise<TestDatabase> {
  const name = `street_art_test_${randomBytes(6).toString('hex')}`;
  await executeStatement(getServerUrl(), `CREATE DATABASE ${name} TEMPLATE ${template}`);
  // The data of a test does not have to survive a crash, so that no commit waits for the disk.
  await executeStatement(getServerUrl(), `ALTER DATABASE ${name} SET synchronous_commit TO off`);
  const drop = async (): Promise<void> => {
    await executeStatement(getServerUrl(), `DROP DATABASE ${name} WITH (FORCE)`);
  };
  return { url: getServerUrl(name).href, drop };
}

function getServerUrl(database?: string): URL {
  const url = new URL(process.env['TEST_DATABASE_URL']!);
  if (database !== undefined) url.pathname = `/${database}`;
  return url;
}

async function executeStatement(url: URL, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client.query(statement).finally(() => client.end());
}
