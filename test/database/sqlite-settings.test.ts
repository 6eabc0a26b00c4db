import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataSource, type EntityManager } from 'typeorm';
import { computeDigest } from '../../src/platform/crypto/opaque-secret.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Region } from '../../src/map/regions/region.entity.js';
import { RefreshToken } from '../../src/identity/oauth/refresh-token.entity.js';
import type { TokenResponse } from '../../src/identity/oauth/token.dto.js';
import { createSqliteDatabase, type TestDatabase } from '../support/database.js';
import { createAccount, registerApp, issueAccessToken, issueTokens } from '../support/factories.js';
import { createTempFolder } from '../support/temp-folder.js';
import { TestServer } from '../support/test-server.js';
import { refreshTokens } from '../support/token-endpoint.js';

/** Returns the path of the file that SQLite opened. */
const OPEN_FILE_QUERY = "SELECT file AS name FROM pragma_database_list WHERE name = 'main'";

const REGION_ROW = { id: 'reg_x', name: 'X', west: 0, south: 0, east: 1, north: 1, createdAt: new Date() };

describe('SQLite file', () => {
  let database: TestDatabase;
  let server: TestServer;
  let token: string;

  beforeAll(async () => {
    database = await createSqliteDatabase();
    server = await TestServer.start({ DATABASE_URL: database.url });
    token = await issueAccessToken(server);
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  const pragma = async (manager: EntityManager, name: string): Promise<unknown> => {
    const [row] = await manager.query<Record<string, unknown>[]>(`PRAGMA ${name}`);
    return Object.values(row!)[0];
  };

  it('has a write-ahead log, which the service syncs itself, and a busy timeout', async () => {
    await server.get(TransactionService).run(async (tx) => {
      expect(await pragma(tx, 'journal_mode')).toBe('wal');
      expect(await pragma(tx, 'synchronous')).toBe(1);
      expect(await pragma(tx, 'busy_timeout')).toBeGreaterThan(0);
      expect(await pragma(tx, 'foreign_keys')).toBe(1);
    });
  });

  it('waits for a write of another process, and reads in the meantime', async () => {
    const other = new Database(database.url.slice('sqlite:'.length));
    other.exec('BEGIN IMMEDIATE');
    const writing = server.get(TransactionService).run((tx) => tx.insert(Region, REGION_ROW));
    const isWritten = jest.fn();
    void writing.then(isWritten);
    const { status } = await server.request('GET', '/api/markers', { token });
    expect(status).toBe(200);
    expect(isWritten).not.toHaveBeenCalled();
    other.exec('COMMIT');
    other.close();
    await writing;
    expect(await server.entityManager.existsBy(Region, { id: REGION_ROW.id })).toBe(true);
  });

  it('is closed when the server stops', async () => {
    const own = await createSqliteDatabase();
    await (await TestServer.start({ DATABASE_URL: own.url })).stop();
    expect(existsSync(own.url.slice('sqlite:'.length))).toBe(true);
    expect(existsSync(`${own.url.slice('sqlite:'.length)}-wal`)).toBe(false);
    await own.drop();
  });

  it('is created with mode 600, with its folder and its log', async () => {
    const folder = await createTempFolder();
    const path = join(folder.path, 'data', 'map.sqlite');
    const created = await TestServer.start({ DATABASE_URL: `sqlite:${path}` });
    const modes: string[] = [];
    for (const name of [join(path, '..'), path, `${path}-wal`])
      modes.push(((await stat(name)).mode & 0o777).toString(8));
    expect(modes).toEqual(['700', '600', '600']);
    await created.stop();
    await folder.remove();
  });

  it('may be a symbolic link: the log is beside the target', async () => {
    const [own, folder] = await Promise.all([createSqliteDatabase(), createTempFolder()]);
    const link = join(folder.path, 'linked.sqlite');
    await symlink(own.url.slice('sqlite:'.length), link);
    await writeFile(`${link}-wal`, 'of another time');
    const linked = await TestServer.start({ DATABASE_URL: `sqlite:${link}` });
    const [open] = await linked.get(TransactionService).run((tx) => tx.query<{ name: string }[]>(OPEN_FILE_QUERY));
    const { fd } = linked.get(TransactionService)['writeAheadLog']!['file'];
    expect(await readlink(`/proc/self/fd/${fd}`)).toBe(`${open!.name}-wal`);
    await linked.stop();
    await Promise.all([own.drop(), folder.remove()]);
  });

  it('is synced once for concurrent commits', async () => {
    const log = server.get(TransactionService)['writeAheadLog']!;
    const waiting = Array.from({ length: 100 }, () => log.flush());
    expect(new Set(waiting).size).toBe(1);
    await Promise.all(waiting);
    const begun = log.flush();
    await Promise.resolve();
    const next = log.flush();
    expect(next).not.toBe(begun);
    await next;
  });

  it('has a read connection that cannot write', async () => {
    expect(await pragma(server.get(DataSource).manager, 'query_only')).toBe(1);
  });
});

describe('SQLite file on a failing disk', () => {
  let database: TestDatabase;
  let server: TestServer;

  beforeAll(async () => {
    database = await createSqliteDatabase();
    server = await TestServer.start({ DATABASE_URL: database.url });
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  it('confirms no commit, starts no transaction, and still reads', async () => {
    const app = await registerApp(server);
    const account = await createAccount(server);
    const [one, other] = [
      await issueTokens(server, { ...app, account }),
      await issueTokens(server, { ...app, account }),
    ];
    const transactions = server.get(TransactionService);
    await transactions['writeAheadLog']!.close();

    for (const { refresh_token } of [one, other, one]) {
      const response = await refreshTokens(server, app, refresh_token, {}, { 'Idempotency-Key': 'the-same' });
      expect(response).toMatchObject({ status: 500, body: { error: 'server_error' } });
    }
    const isUsed = async ({ refresh_token }: TokenResponse): Promise<boolean> =>
      (await server.entityManager.findOneByOrFail(RefreshToken, { digest: computeDigest(refresh_token) })).usedAt !==
      null;
    expect([await isUsed(one), await isUsed(other)]).toEqual([true, false]);
    await expect(transactions.run((tx) => tx.insert(Region, REGION_ROW))).rejects.toThrow('file closed');
    expect(await server.entityManager.existsBy(Region, { id: REGION_ROW.id })).toBe(false);
    expect((await server.request('GET', '/api/markers', { token: one.access_token })).status).toBe(200);
    const ready = await server.request('GET', '/health/ready');
    expect(ready).toMatchObject({ status: 503, body: { error: { disk: { status: 'down' } } } });
  });
});
