import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import type { DemoCredentials } from '../../src/app/demo/demo.service.js';
import { createDatabase, isPostgres, type TestDatabase } from '../support/database.js';
import { TestServer } from '../support/test-server.js';

const FIXTURES = 'test/fixtures';

/** Of `test/fixtures/create.sh`. */
const MASTER_SECRET = '3f0c6bd7a2f94d1e8b5a7790c1d2e3f4a5b6c7d8e9f00112233445566778899a';

const RELEASES = readdirSync(FIXTURES).filter((name) => /^\d/.test(name));

describe.each(RELEASES)('A database of release %s', (release) => {
  it('is migrated, and its token refreshes, reads the map and suggests an edit', async () => {
    const database = await restore(release);
    const kind = isPostgres ? 'postgres' : 'sqlite';
    const demo: DemoCredentials = JSON.parse(await readFile(join(FIXTURES, release, `${kind}.json`), 'utf8'));
    const server = await TestServer.start({ DATABASE_URL: database.url, MASTER_SECRET });
    const { client_id, client_secret } = demo.apps.find(({ name }) => name === 'WallWalker')!;
    const refresh = (refresh_token: string): ReturnType<TestServer['request']> =>
      server.request('POST', '/api/oauth/token', {
        body: { grant_type: 'refresh_token', refresh_token, client_id, client_secret },
      });
    const tokens = await refresh(demo.refresh_token);
    expect(tokens.status).toBe(200);
    const { access_token: token, refresh_token: next } = tokens.body;
    const markers = await server.request('GET', '/api/markers?kind=artwork&count=true', { token });
    expect(markers.body.page.numberMatched).toBe(60);
    const [{ id: targetId, version: baseVersion }] = markers.body.data;
    const body = { type: 'update', targetType: 'artwork', targetId, baseVersion, changes: { title: 'After' } };
    expect((await server.request('POST', '/api/edits', { token, body })).status).toBe(201);
    expect((await refresh(next)).status).toBe(200);
    expect((await refresh(demo.refresh_token)).body.error).toBe('invalid_grant');
    await server.stop();
    await database.drop();
  });
});

async function restore(release: string): Promise<TestDatabase> {
  const database = await createDatabase();
  const read = async (name: string): Promise<Buffer> => gunzipSync(await readFile(join(FIXTURES, release, name)));
  if (!isPostgres) {
    await writeFile(database.url.slice('sqlite:'.length), await read('street-art.sqlite.gz'));
    return database;
  }
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query((await read('postgres.sql.gz')).toString());
  await client.end();
  return database;
}
