import Database from 'better-sqlite3';
import pg from 'pg';

/** A table of JSON by key, as a peer's adapter would keep it, on the database at hand. */
export async function openJsonStore() {
  const url = process.env.DATABASE_URL;
  return url.startsWith('postgres') ? openPostgresStore(url) : openSqliteStore(url.slice('sqlite:'.length));
}

function openSqliteStore(file) {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${process.env.SYNCHRONOUS ?? 'FULL'}`);
  database.exec('CREATE TABLE kept (key TEXT PRIMARY KEY, grant_id TEXT, value TEXT NOT NULL) WITHOUT ROWID');
  database.exec('CREATE INDEX kept_grant ON kept (grant_id)');
  const statements = {
    get: database.prepare('SELECT value FROM kept WHERE key = ?').pluck(),
    put: database.prepare('INSERT OR REPLACE INTO kept VALUES (?, ?, ?)'),
    remove: database.prepare('DELETE FROM kept WHERE key = ?'),
    removeGrant: database.prepare('DELETE FROM kept WHERE grant_id = ?'),
    consume: database.prepare(`UPDATE kept SET value = json_set(value, '$.consumed', ?) WHERE key = ?`),
  };
  return {
    get: async (key) => parseJson(statements.get.get(key)),
    put: async (key, grantId, value) => void statements.put.run(key, grantId, JSON.stringify(value)),
    remove: async (key) => statements.remove.run(key).changes === 1,
    removeGrant: async (grantId) => void statements.removeGrant.run(grantId),
    consume: async (key, at) => void statements.consume.run(at, key),
  };
}

async function openPostgresStore(connectionString) {
  const pool = new pg.Pool({ connectionString });
  await pool.query('CREATE TABLE kept (key text PRIMARY KEY, grant_id text, value jsonb NOT NULL)');
  await pool.query('CREATE INDEX kept_grant ON kept (grant_id)');
  const put =
    'INSERT INTO kept VALUES ($1, $2, $3) ON CONFLICT (key) DO UPDATE SET grant_id = excluded.grant_id, value = excluded.value';
  const consume = `UPDATE kept SET value = jsonb_set(value, '{consumed}', to_jsonb($1::int)) WHERE key = $2`;
  const run = (name, text, ...values) => pool.query({ name, text, values });
  return {
    get: async (key) => (await run('get', 'SELECT value FROM kept WHERE key = $1', key)).rows[0]?.value,
    put: async (key, grantId, value) => void (await run('put', put, key, grantId, JSON.stringify(value))),
    remove: async (key) => (await run('remove', 'DELETE FROM kept WHERE key = $1', key)).rowCount === 1,
    removeGrant: async (grantId) => void (await run('removeGrant', 'DELETE FROM kept WHERE grant_id = $1', grantId)),
    consume: async (key, at) => void (await run('consume', consume, at, key)),
  };
}

function parseJson(text) {
  return text === undefined ? undefined : JSON.parse(text);
}
