import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { App } from '../../src/identity/apps/app.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { type RefreshTokenChain, issueChains } from '../support/refresh-token-chain.js';
import { Cli } from '../support/cli.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import type { TestApp } from '../support/factories.js';
import { RefreshLoad } from '../support/refresh-load.js';
import { ServerProcess } from '../support/server-process.js';
import { type ResponseBody, TestServer } from '../support/test-server.js';
import { DAY_MS } from '../support/fake-clock.js';

const CHAIN_COUNT = 8;

describe('Client secret rotation under load in two processes', () => {
  let database: TestDatabase;
  let chains: RefreshTokenChain[];
  let processes: ServerProcess[];
  let commands: Cli;
  let before: TestApp['credentials'];
  let after: TestApp['credentials'];

  beforeAll(async () => {
    database = await createDatabase();
    chains = await issueChains(database, CHAIN_COUNT);
    before = chains[0]!.credentials;
    processes = await Promise.all([ServerProcess.startOn(database.url), ServerProcess.startOn(database.url)]);
    commands = new Cli(database.url);
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await database.drop();
  });

  /**
   * Refreshes the first chain at each process with these credentials.
   * @returns the statuses or errors
   */
  const refreshed = async (credentials: TestApp['credentials']): Promise<unknown[]> => {
    const [chain] = chains as [RefreshTokenChain];
    chain.credentials = credentials;
    const results: unknown[] = [];
    for (const { url } of processes) {
      const outcome = await chain.refresh(url);
      results.push(typeof outcome === 'string' ? outcome : (outcome.body.error ?? outcome.status));
    }
    return results;
  };
  const findPreviousSecretEvents = async (): Promise<ResponseBody[]> => {
    const events: ResponseBody[] = await commands.runJson('audit', '--app', before.client_id);
    return events.filter(({ type }) => type === 'app.old_secret_used');
  };

  it('rejects no request while the clients change from the old secret to the new one', async () => {
    const urls = processes.map(({ url }) => url);
    const load = new RefreshLoad(chains, urls);
    await load.waitForMoreTokens(100);
    expect(await findPreviousSecretEvents()).toEqual([]);
    after = await commands.runJson('apps', 'rotate-secret', before.client_id, '--keep-old', '24h');
    await load.waitForMoreTokens(100);
    for (const chain of chains) {
      chain.credentials = after;
      await load.waitForMoreTokens(50);
    }
    const outcomes = await load.stop();
    expect(outcomes).toEqual(chains.map(() => expect.objectContaining({ status: 200 })));
    expect(after).toEqual({
      client_id: before.client_id,
      client_secret: expect.not.stringMatching(before.client_secret),
    });
    expect(await findPreviousSecretEvents()).toHaveLength(1);
  });

  it('accepts the old secret in both processes until it expires, and then in none', async () => {
    expect(await refreshed(before)).toEqual([200, 200]);
    await expirePreviousSecret(DAY_MS);
    expect(await refreshed(before)).toEqual(['invalid_client', 'invalid_client']);
    expect(await refreshed(after)).toEqual([200, 200]);
  });

  /** Moves the stored expiry back, because the clocks of the processes cannot be moved. */
  const expirePreviousSecret = async (milliseconds: number): Promise<void> => {
    const server = await TestServer.start({ DATABASE_URL: database.url });
    const { id, previousSecretExpiresAt } = await server.entityManager.findOneByOrFail(App, {
      id: before.client_id,
    });
    const earlier = new Date(previousSecretExpiresAt!.getTime() - milliseconds);
    await server.get(TransactionService).run((tx) => tx.update(App, { id }, { previousSecretExpiresAt: earlier }));
    await server.stop();
  };
});
