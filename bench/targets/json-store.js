import Database from 'better-sqlite3';
import pg from 'pg';

/**
 * Opens a table of JSON values by key in the configured database, as an adapter of the other
 * servers would store them.
 */
export async function openJsonStore() {
  const url = process.env.DATABASE_URL;
  return url.startsWith('postgres') ? openPostgresStore(url) : openSqliteStore(url.slice('sqlite:'.length));
}

function openSqliteStore(file) {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE entries (key TEXT PRIMARY KEY, grant_id TEXT, value TEXT NOT NULL) WITHOUT ROWID');
  database.exec('CREATE INDEX entries_grant ON entries (grant_id)');
  const statements = {
    get: database.prepare('SELECT value FROM entries WHERE key = ?').pluck(),
    put: database.prepare('INSERT OR REPLACE INTO entries VALUES (?, ?, ?)'),
    remove: database.prepare('DELETE FROM entries WHERE key = ?'),
    removeGrant: database.prepare('DELETE FROM entries WHERE grant_id = ?'),
    consume: database.prepare(`UPDATE entries SET value = json_set(value, '$.consumed', ?) WHERE key = ?`),
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
  await pool.query('CREATE TABLE entries (key text PRIMARY KEY, grant_id text, value jsonb NOT NULL)');
  await pool.query('CREATE INDEX entries_grant ON entries (grant_id)');
  const put =
    'INSERT INTO entries VALUES ($1, $2, $3) ON CONFLICT (key) DO UPDATE SET grant_id = excluded.grant_id, value = excluded.value';
  const consume = `UPDATE entries SET value = jsonb_set(value, '{consumed}', to_jsonb($1::int)) WHERE key = $2`;
  const run = (name, text, ...values) => pool.query({ name, text, values });
  return {
    get: async (key) => (await run('get', 'SELECT value FROM entries WHERE key = $1', key)).rows[0]?.value,
    put: async (key, grantId, value) => void (await run('put', put, key, grantId, JSON.stringify(value))),
    remove: async (key) => (await run('remove', 'DELETE FROM entries WHERE key = $1', key)).rowCount === 1,
    removeGrant: async (grantId) => void (await run('removeGrant', 'DELETE FROM entries WHERE grant_id = $1', grantId)),
    consume: async (key, at) => void (await run('consume', consume, at, key)),
  };
}

function parseJson(text) {
  return text === undefined ? undefined : JSON.parse(text);
}
