// Runs the tests on PostgreSQL, each test file in its own database. Fails when no server responds.
import { spawnSync } from 'node:child_process';
import pg from 'pg';

const url = process.env.TEST_DATABASE_URL || 'postgres://postgres@127.0.0.1:5432/postgres';
const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
try {
  await client.connect();
  await client.end();
} catch (error) {
  console.error(`No PostgreSQL answers at TEST_DATABASE_URL (${new URL(url).host}): ${error.message}`);
  process.exit(1);
}
const jestArgs = [
  'node_modules/jest/bin/jest.js',
  '--selectProjects',
  'main',
  'long',
  '--testTimeout',
  '300000',
  '--config',
  'jest.config.js',
  ...process.argv.slice(2),
];
const env = { ...process.env, TEST_DATABASE: 'postgres', TEST_DATABASE_URL: url };
process.exit(spawnSync(process.execPath, jestArgs, { stdio: 'inherit', env }).status ?? 1);
