import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tmpdir } from 'node:os';
import { PostgresCluster } from '../support/postgres-cluster.js';
import { issueChains, type RefreshTokenChain } from '../support/refresh-token-chain.js';
import { ServerProcess } from '../support/server-process.js';
import { TEST_SETTINGS } from '../support/test-settings.js';
import { DATABASE_BACKED_PAGE_PATH } from '../support/unavailable-response.js';

const CHAIN_COUNT = 8;

interface LogLine {
  event: string;
  cause?: string;
  count?: number;
}

describe('Log of a PostgreSQL outage', () => {
  let database: PostgresCluster;
  let chains: RefreshTokenChain[];
  let server: ServerProcess;
  let statuses: number[];

  beforeEach(async () => {
    database = await PostgresCluster.start();
    chains = await issueChains(database, CHAIN_COUNT);
    server = await ServerProcess.start(tmpdir(), {
      ...TEST_SETTINGS,
      DATABASE_URL: database.url,
      DEMO_DATA: 'off',
      LOG_LEVEL: 'warn',
      LOG_FORMAT: 'json',
    });
    statuses = [];
  });
  afterEach(async () => {
    await server.stop('SIGKILL');
    for (const chain of chains) chain.close();
    await database.drop();
  });

  /** Refreshes each chain and reads a page, until this many more responses have the status. */
  const loadUntil = async (status: number, count: number): Promise<void> => {
    const countAll = (): number => statuses.filter((one) => one === status).length;
    const enough = countAll() + count;
    const repeat = async (send: () => Promise<number>): Promise<void> => {
      while (countAll() < enough) statuses.push(await send());
    };
    const readPage = async (): Promise<number> => (await fetch(server.url + DATABASE_BACKED_PAGE_PATH)).status;
    await Promise.all(chains.flatMap((chain) => [repeat(() => refresh(chain)), repeat(readPage)]));
  };
  const refresh = async (chain: RefreshTokenChain): Promise<number> => {
    const outcome = await chain.refresh(server.url);
    return typeof outcome === 'string' ? NaN : outcome.status;
  };
  const readLines = (): LogLine[] =>
    server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as LogLine);

  it('has one line for each cause under load, and one line with the count of its repeats', async () => {
    await loadUntil(200, 100);
    const outage = loadUntil(503, 300);
    await database.kill();
    await outage;
    const [recovery] = [loadUntil(200, 100), await database.restart()];
    await recovery;
    expect(await server.stop()).toBe(0);

    const lines = readLines();
    const firsts = lines.filter(({ count }) => count === undefined);
    const repeats = lines.filter(({ count }) => count !== undefined);
    const causes = firsts.map(({ event, cause }) => `${event} ${cause}`);
    expect(causes).toEqual([...new Set(causes)]);
    const repeatedCauses = repeats.map(({ event, cause }) => `${event} ${cause}`);
    expect(repeatedCauses).toEqual([...new Set(repeatedCauses)]);

    const unavailable = lines.filter(({ event }) => event === 'database_unavailable');
    expect(['cannot_connect', 'connection_lost', 'timeout']).toEqual(
      expect.arrayContaining(unavailable.map(({ cause }) => cause)),
    );
    const logged = unavailable.reduce((sum, { count = 1 }) => sum + count, 0);
    expect(logged).toBe(statuses.filter((status) => status === 503).length);
  });
});
