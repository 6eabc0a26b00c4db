import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pass } from 'node:timers/promises';
import { type RefreshTokenChain } from '../support/refresh-token-chain.js';
import { FAULT_DATABASES } from '../support/fault-databases.js';
import { FaultScenario } from '../support/fault-scenario.js';
import { RefreshLoad } from '../support/refresh-load.js';

const ROUND_COUNT = 12;
const CHAIN_COUNT = 8;
const CONCURRENT_CLIENT_COUNT = 20;

/** Waits for a random time that is independent of the service. */
const waitRandomTime = (): Promise<void> => pass(Math.random() * 25);

describe.each(FAULT_DATABASES)('Crash recovery on %s after SIGKILL', (_, createDatabase) => {
  let scenario: FaultScenario;
  let chains: RefreshTokenChain[];

  beforeAll(async () => {
    scenario = await FaultScenario.start(createDatabase, (ROUND_COUNT + 1) * CHAIN_COUNT);
    ({ chains } = scenario);
  });
  afterAll(() => scenario.stop());

  const kill = async (): Promise<void> => {
    await waitRandomTime();
    await scenario.server.stop('SIGKILL');
  };

  it(`accepts each issued token once, and stores no partial rotation, in each of ${ROUND_COUNT} rounds under load`, async () => {
    for (let round = 1; round <= ROUND_COUNT; round++) {
      const own = chains.splice(0, CHAIN_COUNT);
      const load = new RefreshLoad(own, [scenario.server.url]);
      await load.waitForTokens(Math.ceil(Math.random() * 20 * round));
      await kill();
      expect((await load.outcomes).filter((outcome) => typeof outcome === 'object')).toEqual([]);
      await scenario.restart();
      await scenario.verify(own);
    }
  });

  it(`stores at most one successor when ${CONCURRENT_CLIENT_COUNT} clients present one token`, async () => {
    for (const chain of chains.splice(0, CHAIN_COUNT)) {
      for (let count = 0; count < 10; count++) await chain.refresh(scenario.server.url);
      const clients = Array.from({ length: CONCURRENT_CLIENT_COUNT }, () => chain.clone());
      const requests = clients.map((client) => client.refresh(scenario.server.url));
      await Promise.all(requests.slice(0, Math.floor(Math.random() * 4)));
      await kill();
      await Promise.all(requests);
      const winners = clients.filter(({ currentToken }) => currentToken !== chain.currentToken);
      expect(winners.length).toBeLessThanOrEqual(1);
      await scenario.restart();
      const last = winners[0] ?? clients.find(({ isOutcomeUnknown }) => isOutcomeUnknown) ?? chain;
      await scenario.verify([last]);
    }
  });
});
