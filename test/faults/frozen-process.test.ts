import { afterEach, beforeEach, describe, it } from '@jest/globals';
import { startServerProcess } from '../support/start-server-process.js';
import { type RefreshTokenChain, issueChains } from '../support/refresh-token-chain.js';
import { RefreshLoad } from '../support/refresh-load.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import type { ServerProcess } from '../support/server-process.js';
import { verifyChains } from '../support/verify-chains.js';

const ROUND_COUNT = 5;
const CHAIN_COUNT = 8;

describe('Of two services on one PostgreSQL, one that freezes under load', () => {
  let postgres: PostgresCluster;
  let chains: RefreshTokenChain[];
  let services: ServerProcess[];

  beforeEach(async () => {
    postgres = await PostgresCluster.start();
    chains = await issueChains(postgres, CHAIN_COUNT);
    services = await Promise.all([startServerProcess(postgres.url), startServerProcess(postgres.url)]);
  });
  afterEach(async () => {
    await Promise.all(services.map((one) => one.stop('SIGKILL')));
    await postgres.drop();
  });

  it(`does not keep the other from answering what it had in hand, in each of ${ROUND_COUNT} rounds`, async () => {
    for (let round = 1; round <= ROUND_COUNT; round++) {
      const [freezing, other] = services as [ServerProcess, ServerProcess];
      const load = new RefreshLoad(chains, [freezing.url]);
      await load.waitForTokens(Math.ceil(Math.random() * 20 * round));
      process.kill(freezing.pid, 'SIGSTOP');
      // Their clients turn to the other one.
      const twins = chains.map((chain) => Object.assign(chain.clone(), { isInDoubt: true }));
      await verifyChains(twins, other.url, postgres.url);
      await freezing.stop('SIGKILL');
      await load.outcomes;
      chains = await issueChains(postgres, CHAIN_COUNT);
      services = [await startServerProcess(postgres.url), other];
    }
  });
});
