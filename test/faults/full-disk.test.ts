import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { AWAY, DATABASE_PAGE } from '../support/away.js';
import { startBuilt } from '../support/built-service.js';
import { type Chain, newChains } from '../support/chains.js';
import { newSqliteDatabase } from '../support/database.js';
import { Load } from '../support/load.js';
import { newFolder, type StartedService } from '../support/processes.js';
import { readAllBack } from '../support/read-back.js';
import { SmallDisk } from '../support/small-disk.js';

const MEBIBYTES = 16;
const CHAINS = 8;
const FILE = 'map.sqlite';

describe('SQLite on a disk that is full', () => {
  let disk: SmallDisk;
  let chains: Chain[];
  let service: StartedService;

  const start = (): Promise<StartedService> => startBuilt(`sqlite:${join(disk.folder, FILE)}`, disk.through);

  beforeEach(async () => {
    const database = await newSqliteDatabase();
    chains = await newChains(database, CHAINS);
    disk = await SmallDisk.mount(MEBIBYTES);
    await disk.put(database.url.slice('sqlite:'.length), FILE);
    await database.drop();
    service = await start();
  });
  afterEach(async () => {
    await service.stop('SIGKILL');
    await disk.drop();
  });

  const refreshAll = async (): Promise<unknown[]> =>
    Promise.all(
      chains.map(async (chain) => {
        const outcome = await chain.refresh(service.url);
        return typeof outcome === 'object' ? outcome.status : outcome;
      }),
    );

  /** Under load the disk becomes full, every request is answered all the same, and the load ends. */
  const fillUnderLoad = async (): Promise<void> => {
    const load = new Load(chains, [service.url]);
    await load.answered(100);
    await disk.fill();
    expect(await load.ended).toEqual(chains.map(() => AWAY));
  };

  /** What is on the disk, read by the service in another place. */
  const expectAllThere = async (): Promise<void> => {
    const copy = await newFolder();
    await disk.copyTo(copy.path);
    const file = join(copy.path, FILE);
    const database = new Database(file);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
    const other = await startBuilt(`sqlite:${file}`);
    expect(await readAllBack(chains, other.url, `sqlite:${file}`)).toBe(true);
    await other.stop();
    await copy.remove();
  };

  it('refuses for now and still reads; once there is room it goes on by itself, and no token is lost', async () => {
    const [first] = await Promise.all(chains.map((chain) => chain.refresh(service.url)));
    const headers = { Authorization: `Bearer ${typeof first === 'object' && first.body.access_token}` };
    await fillUnderLoad();
    const reads = ['/api/markers', DATABASE_PAGE].map((path) => fetch(service.url + path, { headers }));
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 400]);
    expect(await refreshAll()).toEqual(chains.map(() => 503));
    await disk.clear();
    for (let count = 0; count < 20; count++) expect(await refreshAll()).toEqual(chains.map(() => 200));
    expect(await service.stop()).toBe(0);
    await expectAllThere();
  });

  it('and is killed there loses no token either', async () => {
    await fillUnderLoad();
    await service.stop('SIGKILL');
    await disk.clear();
    service = await start();
    expect(await refreshAll()).toEqual(chains.map(() => 200));
    await service.stop();
    await expectAllThere();
  });
});
