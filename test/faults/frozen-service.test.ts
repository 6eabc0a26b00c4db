import { afterEach, beforeEach, describe, it } from '@jest/globals';
import { startBuilt } from '../support/built-service.js';
import { type Chain, newChains } from '../support/chains.js';
import { Load } from '../support/load.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import type { StartedService } from '../support/processes.js';
import { readAllBack } from '../support/read-back.js';

const ROUNDS = 5;
const CHAINS = 8;

describe('Of two services on one PostgreSQL, one that freezes under load', () => {
  let postgres: PostgresCluster;
  let chains: Chain[];
  let services: StartedService[];

  beforeEach(async () => {
    postgres = await PostgresCluster.start();
    chains = await newChains(postgres, CHAINS);
    services = await Promise.all([startBuilt(postgres.url), startBuilt(postgres.url)]);
  });
  afterEach(async () => {
    await Promise.all(services.map((one) => one.stop('SIGKILL')));
    await postgres.drop();
  });

  it(`does not keep the other from answering what it had in hand, in each of ${ROUNDS} rounds`, async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const [freezing, other] = services as [StartedService, StartedService];
      const load = new Load(chains, [freezing.url]);
      await load.answered(Math.ceil(Math.random() * 20 * round));
      process.kill(freezing.pid, 'SIGSTOP');
      // Their clients turn to the other one.
      const twins = chains.map((chain) => Object.assign(chain.twin(), { isInDoubt: true }));
      await readAllBack(twins, other.url, postgres.url);
      await freezing.stop('SIGKILL');
      await load.ended;
      chains = await newChains(postgres, CHAINS);
      services = [await startBuilt(postgres.url), other];
    }
  });
});
