import { afterEach, beforeEach, describe, it } from '@jest/globals';
import { type RefreshTokenChain, issueChains } from '../support/refresh-token-chain.js';
import { RefreshLoad } from '../support/refresh-load.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import { ServerProcess } from '../support/server-process.js';
import { verifyChains } from '../support/verify-chains.js';

const ROUND_COUNT = 5;
const CHAIN_COUNT = 8;

describe('Frozen process on PostgreSQL', () => {
  let postgres: PostgresCluster;
  let chains: RefreshTokenChain[];
  let services: ServerProcess[];

  beforeEach(async () => {
    postgres = await PostgresCluster.start();
    chains = await issueChains(postgres, CHAIN_COUNT);
    services = await Promise.all([ServerProcess.startOn(postgres.url), ServerProcess.startOn(postgres.url)]);
  });
  afterEach(async () => {
    await Promise.all(services.map((one) => one.stop('SIGKILL')));
    await postgres.drop();
  });

  it(`does not block the tokens of its requests in the other process, in each of ${ROUND_COUNT} rounds`, async () => {
    for (let round = 1; round <= ROUND_COUNT; round++) {
      const [freezing, other] = services as [ServerProcess, ServerProcess];
      const load = new RefreshLoad(chains, [freezing.url]);
      await load.waitForTokens(Math.ceil(Math.random() * 20 * round));
      process.kill(freezing.pid, 'SIGSTOP');
      // Other clients present the same tokens to the other process.
      const otherClients = chains.map((chain) => chain.clone());
      for (const client of otherClients) client.isOutcomeUnknown = true;
      await verifyChains(otherClients, other.url, postgres.url);
      await freezing.stop('SIGKILL');
      await load.outcomes;
      chains = await issueChains(postgres, CHAIN_COUNT);
      services = [await ServerProcess.startOn(postgres.url), other];
    }
  });
});
