import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** An empty database of a test's own, on the kind of database that this run is for. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

export const isPostgres = process.env['TEST_DATABASE'] === 'postgres';

export async function createDatabase(): Promise<TestDatabase> {
  return isPostgres ? createPostgresDatabase() : createSqliteDatabase();
}

export async function createSqliteDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'street-art-'));
  return { url: `sqlite:${join(folder, 'test.sqlite')}`, drop: () => rm(folder, { recursive: true, force: true }) };
}

async function createPostgresDatabase(): Promise<TestDatabase> {
  const name = `street_art_test_${randomBytes(6).toString('hex')}`;
  const url = new URL(process.env['TEST_DATABASE_URL']!);
  await executeStatement(url, `CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => executeStatement(url, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function executeStatement(url: URL, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
