import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pass } from 'node:timers/promises';
import { startBuilt } from '../support/built-service.js';
import { type Chain, newChains } from '../support/chains.js';
import type { TestDatabase } from '../support/database.js';
import { DATABASES } from '../support/fault-databases.js';
import { Load } from '../support/load.js';
import { StartedService } from '../support/processes.js';
import { readAllBack } from '../support/read-back.js';

const ROUNDS = 12;
const CHAINS = 8;
const AT_ONCE = 20;

/** A moment that has nothing to do with what the service does. */
const anyMoment = (): Promise<void> => pass(Math.random() * 25);

describe.each(DATABASES)('The service on %s, killed at any moment (kill -9)', (_, newDatabase) => {
  let database: TestDatabase;
  let chains: Chain[];
  let service: StartedService;

  beforeAll(async () => {
    database = await newDatabase();
    chains = await newChains(database, (ROUNDS + 1) * CHAINS);
    service = await startBuilt(database.url);
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  const kill = async (): Promise<void> => {
    await anyMoment();
    await service.stop('SIGKILL');
  };

  it(`under load, in each of ${ROUNDS} rounds: what was answered works once, and nothing is half-done`, async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const own = chains.splice(0, CHAINS);
      const load = new Load(own, [service.url]);
      await load.answered(Math.ceil(Math.random() * 20 * round));
      await kill();
      expect((await load.ended).filter((outcome) => typeof outcome === 'object')).toEqual([]);
      service = await startBuilt(database.url);
      await readAllBack(own, service.url, database.url);
    }
  });

  it(`while ${AT_ONCE} clients present one token: it has one successor, or none and still works`, async () => {
    for (const chain of chains.splice(0, CHAINS)) {
      for (let count = 0; count < 10; count++) await chain.refresh(service.url);
      const clients = Array.from({ length: AT_ONCE }, () => chain.twin());
      const racing = clients.map((client) => client.refresh(service.url));
      await Promise.all(racing.slice(0, Math.floor(Math.random() * 4)));
      await kill();
      await Promise.all(racing);
      const winners = clients.filter(({ newest }) => newest !== chain.newest);
      expect(winners.length).toBeLessThanOrEqual(1);
      service = await startBuilt(database.url);
      const last = winners[0] ?? clients.find(({ isInDoubt }) => isInDoubt) ?? chain;
      await readAllBack([last], service.url, database.url);
    }
  });
});
