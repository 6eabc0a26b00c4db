import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { UNAVAILABLE_RESPONSE, DATABASE_BACKED_PAGE_PATH } from '../support/unavailable-response.js';
import { startServerProcess } from '../support/start-server-process.js';
import { type RefreshTokenChain, issueChains } from '../support/refresh-token-chain.js';
import { createSqliteDatabase } from '../support/database.js';
import { RefreshLoad } from '../support/refresh-load.js';
import { createTempFolder, type ServerProcess } from '../support/server-process.js';
import { verifyChains } from '../support/verify-chains.js';
import { LimitedDisk } from '../support/limited-disk.js';

const DISK_SIZE_MIB = 16;
const CHAIN_COUNT = 8;
const DATABASE_FILE = 'map.sqlite';

describe('SQLite on a disk that is full', () => {
  let disk: LimitedDisk;
  let chains: RefreshTokenChain[];
  let server: ServerProcess;

  const start = (): Promise<ServerProcess> =>
    startServerProcess(`sqlite:${join(disk.folder, DATABASE_FILE)}`, disk.commandPrefix);

  beforeEach(async () => {
    const database = await createSqliteDatabase();
    chains = await issueChains(database, CHAIN_COUNT);
    disk = await LimitedDisk.mount(DISK_SIZE_MIB);
    await disk.copyIn(database.url.slice('sqlite:'.length), DATABASE_FILE);
    await database.drop();
    server = await start();
  });
  afterEach(async () => {
    await server.stop('SIGKILL');
    await disk.unmount();
  });

  const refreshAll = async (): Promise<unknown[]> =>
    Promise.all(
      chains.map(async (chain) => {
        const outcome = await chain.refresh(server.url);
        return typeof outcome === 'object' ? outcome.status : outcome;
      }),
    );

  /** Under load the disk becomes full, every request is answered all the same, and the load ends. */
  const fillUnderLoad = async (): Promise<void> => {
    const load = new RefreshLoad(chains, [server.url]);
    await load.waitForTokens(100);
    await disk.fill();
    expect(await load.outcomes).toEqual(chains.map(() => UNAVAILABLE_RESPONSE));
  };

  /** What is on the disk, read by the service in another place. */
  const expectAllThere = async (): Promise<void> => {
    const copy = await createTempFolder();
    await disk.copyOut(copy.path);
    const file = join(copy.path, DATABASE_FILE);
    const database = new Database(file);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
    const other = await startServerProcess(`sqlite:${file}`);
    expect(await verifyChains(chains, other.url, `sqlite:${file}`)).toBe(true);
    await other.stop();
    await copy.remove();
  };

  it('refuses for now and still reads; once there is room it goes on by itself, and no token is lost', async () => {
    const [first] = await Promise.all(chains.map((chain) => chain.refresh(server.url)));
    const headers = { Authorization: `Bearer ${typeof first === 'object' && first.body.access_token}` };
    await fillUnderLoad();
    const reads = ['/api/markers', DATABASE_BACKED_PAGE_PATH].map((path) => fetch(server.url + path, { headers }));
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 400]);
    expect(await refreshAll()).toEqual(chains.map(() => 503));
    await disk.freeSpace();
    for (let count = 0; count < 20; count++) expect(await refreshAll()).toEqual(chains.map(() => 200));
    expect(await server.stop()).toBe(0);
    await expectAllThere();
  });

  it('and is killed there loses no token either', async () => {
    await fillUnderLoad();
    await server.stop('SIGKILL');
    await disk.freeSpace();
    server = await start();
    expect(await refreshAll()).toEqual(chains.map(() => 200));
    await server.stop();
    await expectAllThere();
  });
});
