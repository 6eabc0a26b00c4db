import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pass } from 'node:timers/promises';
import { startServerProcess } from '../support/start-server-process.js';
import { type RefreshTokenChain, issueChains } from '../support/refresh-token-chain.js';
import type { TestDatabase } from '../support/database.js';
import { FAULT_DATABASES } from '../support/fault-databases.js';
import { RefreshLoad } from '../support/refresh-load.js';
import { ServerProcess } from '../support/server-process.js';
import { verifyChains } from '../support/verify-chains.js';

const ROUND_COUNT = 12;
const CHAIN_COUNT = 8;
const CONCURRENT_CLIENT_COUNT = 20;

/** A moment that has nothing to do with what the service does. */
const waitRandomTime = (): Promise<void> => pass(Math.random() * 25);

describe.each(FAULT_DATABASES)('The service on %s, killed at any moment (kill -9)', (_, newDatabase) => {
  let database: TestDatabase;
  let chains: RefreshTokenChain[];
  let server: ServerProcess;

  beforeAll(async () => {
    database = await newDatabase();
    chains = await issueChains(database, (ROUND_COUNT + 1) * CHAIN_COUNT);
    server = await startServerProcess(database.url);
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  const kill = async (): Promise<void> => {
    await waitRandomTime();
    await server.stop('SIGKILL');
  };

  it(`under load, in each of ${ROUND_COUNT} rounds: what was answered works once, and nothing is half-done`, async () => {
    for (let round = 1; round <= ROUND_COUNT; round++) {
      const own = chains.splice(0, CHAIN_COUNT);
      const load = new RefreshLoad(own, [server.url]);
      await load.waitForTokens(Math.ceil(Math.random() * 20 * round));
      await kill();
      expect((await load.outcomes).filter((outcome) => typeof outcome === 'object')).toEqual([]);
      server = await startServerProcess(database.url);
      await verifyChains(own, server.url, database.url);
    }
  });

  it(`while ${CONCURRENT_CLIENT_COUNT} clients present one token: it has one successor, or none and still works`, async () => {
    for (const chain of chains.splice(0, CHAIN_COUNT)) {
      for (let count = 0; count < 10; count++) await chain.refresh(server.url);
      const clients = Array.from({ length: CONCURRENT_CLIENT_COUNT }, () => chain.clone());
      const racing = clients.map((client) => client.refresh(server.url));
      await Promise.all(racing.slice(0, Math.floor(Math.random() * 4)));
      await kill();
      await Promise.all(racing);
      const winners = clients.filter(({ currentToken }) => currentToken !== chain.currentToken);
      expect(winners.length).toBeLessThanOrEqual(1);
      server = await startServerProcess(database.url);
      const last = winners[0] ?? clients.find(({ isOutcomeUnknown }) => isOutcomeUnknown) ?? chain;
      await verifyChains([last], server.url, database.url);
    }
  });
});
