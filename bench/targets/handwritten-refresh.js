import Database from 'better-sqlite3';
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { fdatasync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import { setImmediate } from 'node:timers';
import { promisify } from 'node:util';
import { CHAIN_COUNT, CLIENT, announceReady, createEs256Signer } from './target-protocol.js';

/**
 * The refresh grant as a careful developer would write it without a framework: `node:http`,
 * prepared statements on a schema of its own. It has the security of the service: digests of tokens
 * and of the secret, one use of each token, revocation, expiry, one transaction and one write to
 * the disk for the requests that arrive together, and no response before that write. It has nothing
 * else: no metrics, limits, idempotency keys, logs, scopes that change, or other grants.
 */
const LIFETIME_MS = 30 * 24 * 3600_000;
const EXPIRES_IN = 3600;
const SCOPE = 'markers:read edits:write';
const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };

const path = process.env.DATABASE_URL.slice('sqlite:'.length);
const database = new Database(path);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = NORMAL');
database.pragma('wal_autocheckpoint = 16000');
database.exec(`
  CREATE TABLE apps (id TEXT PRIMARY KEY, secret_digest BLOB NOT NULL, disabled_at INTEGER) WITHOUT ROWID;
  CREATE TABLE authorizations (id INTEGER PRIMARY KEY, app_id TEXT NOT NULL, account_id TEXT NOT NULL,
    scope TEXT NOT NULL, revoked_at INTEGER);
  CREATE TABLE refresh_tokens (digest BLOB PRIMARY KEY, authorization_id INTEGER NOT NULL, expires_at INTEGER NOT NULL,
    used_at INTEGER, successor BLOB) WITHOUT ROWID`);
const log = openSync(`${path}-wal`, 'r+');
const syncToDisk = promisify(fdatasync);

const begin = database.prepare('BEGIN IMMEDIATE');
const commit = database.prepare('COMMIT');
const selectApp = database.prepare('SELECT secret_digest, disabled_at FROM apps WHERE id = ?');
const selectToken = database.prepare(`SELECT t.authorization_id, a.account_id, a.scope FROM refresh_tokens t
  JOIN authorizations a ON a.id = t.authorization_id
  WHERE t.digest = ? AND t.used_at IS NULL AND t.expires_at > ? AND a.app_id = ? AND a.revoked_at IS NULL`);
const markUsed = database.prepare('UPDATE refresh_tokens SET used_at = ?, successor = ? WHERE digest = ?');
const insertToken = database.prepare('INSERT INTO refresh_tokens VALUES (?, ?, ?, NULL, NULL)');

const digestOf = (text) => createHash('sha256').update(text).digest();
const createToken = () => randomBytes(32).toString('base64url');
const signer = createEs256Signer();

database.prepare('INSERT INTO apps VALUES (?, ?, NULL)').run(CLIENT.id, digestOf(CLIENT.secret));
const tokens = Array.from({ length: CHAIN_COUNT }, (_, index) => {
  const token = createToken();
  database.prepare(`INSERT INTO authorizations VALUES (?, ?, 'bench', ?, NULL)`).run(index, CLIENT.id, SCOPE);
  insertToken.run(digestOf(token), index, Date.now() + LIFETIME_MS);
  return token;
});

let queue = [];
let flush = Promise.resolve();
let nextFlush;

/** Rotates the tokens of all waiting requests in one transaction. */
function rotateAll() {
  const batch = queue;
  queue = [];
  const now = Date.now();
  begin.run();
  const rotated = batch.map((request) => rotate(request, now));
  commit.run();
  nextFlush ??= flush = flush.then(() => {
    nextFlush = undefined;
    return syncToDisk(log);
  });
  const durable = nextFlush;
  batch.forEach(({ respond }, index) => {
    const body = rotated[index] && createBody(rotated[index]);
    void durable.then(() => (body ? respond(200, body) : respond(400, { error: 'invalid_grant' })));
  });
}

function rotate({ params: { client_id, client_secret, refresh_token } }, now) {
  const app = selectApp.get(client_id);
  if (!app || app.disabled_at || !timingSafeEqual(digestOf(client_secret), app.secret_digest)) return undefined;
  const digest = digestOf(refresh_token);
  const found = selectToken.get(digest, now, client_id);
  if (!found) return undefined;
  const successor = createToken();
  const successorDigest = digestOf(successor);
  markUsed.run(now, successorDigest, digest);
  insertToken.run(successorDigest, found.authorization_id, now + LIFETIME_MS);
  return { ...found, successor };
}

function createBody({ account_id: sub, scope, successor }) {
  const iat = Math.floor(Date.now() / 1000);
  const [iss, aud] = ['https://bench.example', 'https://bench.example/api'];
  const claims = { iss, aud, sub, client_id: CLIENT.id, scope, iat, exp: iat + EXPIRES_IN, jti: randomUUID() };
  return {
    access_token: signer.jwt(claims),
    token_type: 'Bearer',
    expires_in: EXPIRES_IN,
    refresh_token: successor,
    scope,
  };
}

const server = createServer((request, response) => {
  const respond = (status, body) => {
    const text = JSON.stringify(body);
    response.writeHead(status, { ...JSON_HEADERS, 'Content-Length': Buffer.byteLength(text) });
    response.end(text);
  };
  let text = '';
  request.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  request.on('end', () => {
    if (queue.push({ params: JSON.parse(text), respond }) === 1) setImmediate(rotateAll);
  });
});
server.listen(0, '127.0.0.1', () =>
  announceReady({ url: `http://127.0.0.1:${server.address().port}/token`, client: CLIENT, form: false, tokens }),
);
