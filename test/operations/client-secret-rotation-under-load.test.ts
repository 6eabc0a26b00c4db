import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { App } from '../../src/identity/clients/app.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { startServerProcess } from '../support/start-server-process.js';
import { type RefreshTokenChain, issueChains } from '../support/refresh-token-chain.js';
import { Cli } from '../support/cli.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import type { TestApp } from '../support/factories.js';
import { RefreshLoad } from '../support/refresh-load.js';
import type { ServerProcess } from '../support/server-process.js';
import { type ResponseBody, TestServer } from '../support/test-server.js';
import { DAY_MS } from '../support/fake-clock.js';

const CHAIN_COUNT = 8;

describe('The secret of an app, replaced while two processes refresh its tokens', () => {
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
    processes = await Promise.all([startServerProcess(database.url), startServerProcess(database.url)]);
    commands = new Cli(database.url);
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await database.drop();
  });

  /** What each process answers who presents the newest token of a chain with these credentials. */
  const refreshed = async (credentials: TestApp['credentials']): Promise<unknown[]> => {
    const [chain] = chains as [RefreshTokenChain];
    chain.credentials = credentials;
    const seen: unknown[] = [];
    for (const { url } of processes) {
      const outcome = await chain.refresh(url);
      seen.push(typeof outcome === 'string' ? outcome : (outcome.body.error ?? outcome.status));
    }
    return seen;
  };
  const oldSecretUsed = async (): Promise<ResponseBody[]> => {
    const events: ResponseBody[] = await commands.runJson('audit', '--app', before.client_id);
    return events.filter(({ type }) => type === 'app.old_secret_used');
  };

  it('costs no request: the old one works beside the new one while clients move over one by one', async () => {
    const urls = processes.map(({ url }) => url);
    const load = new RefreshLoad(chains, urls);
    await load.waitForMoreTokens(100);
    expect(await oldSecretUsed()).toEqual([]);
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
    expect(await oldSecretUsed()).toHaveLength(1);
  });

  it('leaves the old one good at both for its time, and at neither when that is over', async () => {
    expect(await refreshed(before)).toEqual([200, 200]);
    await letTimePass(DAY_MS);
    expect(await refreshed(before)).toEqual(['invalid_client', 'invalid_client']);
    expect(await refreshed(after)).toEqual([200, 200]);
  });

  /** The clocks of the processes cannot be moved, so what the command wrote down is: to so much earlier. */
  const letTimePass = async (milliseconds: number): Promise<void> => {
    const server = await TestServer.start({ DATABASE_URL: database.url });
    const { id, previousSecretExpiresAt } = await server.entityManager.findOneByOrFail(App, {
      id: before.client_id,
    });
    const earlier = new Date(previousSecretExpiresAt!.getTime() - milliseconds);
    await server.get(TransactionService).run((tx) => tx.update(App, { id }, { previousSecretExpiresAt: earlier }));
    await server.stop();
  };
});
