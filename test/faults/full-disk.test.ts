import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE_BACKED_PAGE_PATH } from '../support/unavailable-response.js';
import { type RefreshTokenChain, issueChains } from '../support/refresh-token-chain.js';
import { createSqliteDatabase } from '../support/database.js';
import { breakUnderLoad, FaultScenario } from '../support/fault-scenario.js';
import { ServerProcess } from '../support/server-process.js';
import { createTempFolder } from '../support/temp-folder.js';
import { verifyChains } from '../support/verify-chains.js';
import { LimitedDisk } from '../support/limited-disk.js';
import { NOBODY_UID, PostgresCluster } from '../support/postgres-cluster.js';

const DISK_SIZE_MIB = 16;
const CHAIN_COUNT = 8;
const DATABASE_FILE = 'map.sqlite';

describe('SQLite on a full disk', () => {
  let disk: LimitedDisk;
  let chains: RefreshTokenChain[];
  let server: ServerProcess;

  const start = (): Promise<ServerProcess> =>
    ServerProcess.startOn(`sqlite:${join(disk.folder, DATABASE_FILE)}`, disk.commandPrefix);

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

  const fillUnderLoad = (): Promise<void> => breakUnderLoad(chains, server, () => disk.fill());

  /** Verifies a copy of the database in another process. */
  const verifyCopy = async (): Promise<void> => {
    const copy = await createTempFolder();
    await disk.copyOut(copy.path);
    const file = join(copy.path, DATABASE_FILE);
    const database = new Database(file);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
    const other = await ServerProcess.startOn(`sqlite:${file}`);
    expect(await verifyChains(chains, other.url, `sqlite:${file}`)).toBe(true);
    await other.stop();
    await copy.remove();
  };

  it('rejects writes and still reads, continues when there is space, and loses no token', async () => {
    const [first] = await Promise.all(chains.map((chain) => chain.refresh(server.url)));
    const headers = { Authorization: `Bearer ${typeof first === 'object' && first.body.access_token}` };
    await fillUnderLoad();
    const reads = ['/api/markers', DATABASE_BACKED_PAGE_PATH].map((path) => fetch(server.url + path, { headers }));
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 400]);
    expect(await refreshAll()).toEqual(chains.map(() => 503));
    const unready = await fetch(`${server.url}/health/ready`);
    expect(unready.status).toBe(503);
    expect(await unready.json()).toMatchObject({ error: { disk: { status: 'down' } } });
    await disk.freeSpace();
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
    for (let count = 0; count < 20; count++) expect(await refreshAll()).toEqual(chains.map(() => 200));
    expect(await server.stop()).toBe(0);
    await verifyCopy();
  });

  it('loses no token when the process is killed', async () => {
    await fillUnderLoad();
    await server.stop('SIGKILL');
    await disk.freeSpace();
    server = await start();
    expect(await refreshAll()).toEqual(chains.map(() => 200));
    await server.stop();
    await verifyCopy();
  });
});

/** Milliseconds within which readiness follows the first write that fails or succeeds. */
const READINESS_TIMEOUT_MS = 15_000;

const POLL_INTERVAL_MS = 200;

/** Size of the tablespace of all tables. It has space for the schema and little more. */
const TABLESPACE_SIZE_MIB = 32;

describe('PostgreSQL on a full disk', () => {
  let disk: LimitedDisk;
  let scenario: FaultScenario<PostgresCluster>;

  beforeEach(async () => {
    disk = await LimitedDisk.mount(TABLESPACE_SIZE_MIB);
    const location = await disk.createUserFolder('tables', NOBODY_UID);
    scenario = await FaultScenario.start(async () => {
      const postgres = await PostgresCluster.start(disk.getUserCommandPrefix(NOBODY_UID));
      await postgres.execute(
        `CREATE TABLESPACE small LOCATION '${location}'`,
        'ALTER SYSTEM SET default_tablespace = small',
        'SELECT pg_reload_conf()',
      );
      return postgres;
    }, CHAIN_COUNT);
  });
  afterEach(async () => {
    await scenario.stop();
    await disk.unmount();
  });

  const readStatus = async (): Promise<number> => (await fetch(`${scenario.server.url}/health/ready`)).status;
  /** Asks like a load balancer, without other requests. */
  const expectStatusInTime = async (expected: number): Promise<void> => {
    const since = performance.now();
    while ((await readStatus()) !== expected) {
      expect(performance.now() - since).toBeLessThan(READINESS_TIMEOUT_MS);
      await sleep(POLL_INTERVAL_MS);
    }
  };

  it('is not ready after the first write that fails for space, until a write succeeds, and loses no token', async () => {
    expect(await readStatus()).toBe(200);
    await breakUnderLoad(scenario.chains, scenario.server, () => disk.fill());
    await expectStatusInTime(503);
    for (let count = 0; count < 20; count++) {
      expect(await readStatus()).toBe(503);
      await sleep(POLL_INTERVAL_MS);
    }
    await disk.freeSpace();
    await expectStatusInTime(200);
    expect(await scenario.verify()).toBe(true);
  });
});
