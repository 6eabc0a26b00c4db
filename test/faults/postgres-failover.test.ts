import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresPair } from '../support/postgres-pair.js';
import { RefreshLoad } from '../support/refresh-load.js';
import { issueChains, type RefreshTokenChain } from '../support/refresh-token-chain.js';
import { ServerProcess } from '../support/server-process.js';
import { verifyChains } from '../support/verify-chains.js';

const FAILOVER_COUNT = 10;
const CHAIN_COUNT = 16;

/** Milliseconds from the promotion of the standby to the first refresh that succeeds. */
const MAX_RECOVERY_MS = 1_000;

/** Finds waiting commits that began in the last 12 seconds. The first commits began earlier. */
const FIND_NEW_COMMITS = `
  SELECT query FROM pg_stat_activity
  WHERE state = 'active' AND query = 'COMMIT' AND query_start > clock_timestamp() - interval '12 seconds'`;

describe('A synchronous PostgreSQL pair', () => {
  let pair: PostgresPair;
  let chains: RefreshTokenChain[];
  let servers: ServerProcess[];

  beforeEach(async () => {
    pair = await PostgresPair.start();
    chains = await issueChains(pair.primary, CHAIN_COUNT);
    servers = await Promise.all([1, 2].map(() => ServerProcess.startOn(pair.url)));
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.stop('SIGKILL')));
    for (const chain of chains) chain.close();
    await pair.drop();
  });

  /** Stops the load, and expects that every chain continues and every used token is rejected. */
  const expectNoLoss = async (load: RefreshLoad): Promise<void> => {
    const outcomes = await load.stop();
    expect(outcomes).toEqual(chains.map(() => expect.objectContaining({ status: 200 })));
    expect(await verifyChains(chains, servers[0]!.url, pair.primary.url)).toBe(true);
  };

  const startLoad = (): RefreshLoad =>
    new RefreshLoad(
      chains,
      servers.map(({ url }) => url),
      { retryUnavailable: true },
    );

  it(`loses no token and ends no chain in ${FAILOVER_COUNT} failovers under load`, async () => {
    const load = startLoad();
    const recoveryTimes: number[] = [];
    for (let round = 0; round < FAILOVER_COUNT; round++) {
      await load.waitForMoreTokens(20 * CHAIN_COUNT);
      await pair.primary.kill();
      await pair.promote();
      const promotedAt = performance.now();
      await load.waitForMoreTokens(1);
      recoveryTimes.push(Math.round(performance.now() - promotedAt));
      await load.waitForMoreTokens(20 * CHAIN_COUNT);
      await pair.rebuildStandby();
    }
    expect(recoveryTimes.filter((time) => time > MAX_RECOVERY_MS)).toEqual([]);
    await expectNoLoss(load);
  });

  it('loses no token, ends no chain and adds no session while commits wait for a lost standby', async () => {
    const load = startLoad();
    await load.waitForMoreTokens(5 * CHAIN_COUNT);
    await pair.standby.kill();
    await load.waitForUnavailable();
    expect(await pair.primary.execute(FIND_NEW_COMMITS)).toEqual([]);
    await pair.releaseCommits();
    await load.waitForMoreTokens(5 * CHAIN_COUNT);
    await expectNoLoss(load);
  });
});
