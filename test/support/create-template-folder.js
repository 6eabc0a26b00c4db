// Creates a folder for the template databases of a test run, and removes the templates after it.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

export default function createTemplateFolder() {
  process.env.TEST_TEMPLATE_ID = randomBytes(4).toString('hex');
  process.env.TEST_TEMPLATE_FOLDER = mkdtempSync(join(tmpdir(), 'street-art-template-'));
}

export async function removeTemplates() {
  rmSync(process.env.TEST_TEMPLATE_FOLDER, { recursive: true, force: true });
  if (process.env.TEST_DATABASE !== 'postgres') return;
  const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
  await client.connect();
  const pattern = `street_art_template_${process.env.TEST_TEMPLATE_ID}_%`;
  const { rows } = await client.query('SELECT datname FROM pg_database WHERE datname LIKE $1', [pattern]);
  for (const { datname } of rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`);
  await client.end();
}
