import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { App } from '../../src/apps/app.entity.js';
import { Transactions } from '../../src/database/transactions.js';
import { startBuilt } from '../support/built-service.js';
import { type Chain, newChains } from '../support/chains.js';
import { CommandLine } from '../support/command-line.js';
import { newDatabase, type TestDatabase } from '../support/database.js';
import type { TestApp } from '../support/factories.js';
import { Load } from '../support/load.js';
import type { StartedService } from '../support/processes.js';
import { type Body, Service } from '../support/service.js';
import { DAY } from '../support/time.js';

const CHAINS = 8;

describe('The secret of an app, replaced while two processes refresh its tokens', () => {
  let database: TestDatabase;
  let chains: Chain[];
  let processes: StartedService[];
  let commands: CommandLine;
  let before: TestApp['credentials'];
  let after: TestApp['credentials'];

  beforeAll(async () => {
    database = await newDatabase();
    chains = await newChains(database, CHAINS);
    before = chains[0]!.credentials;
    processes = await Promise.all([startBuilt(database.url), startBuilt(database.url)]);
    commands = new CommandLine(database.url);
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await database.drop();
  });

  /** What each process answers who presents the newest token of a chain with these credentials. */
  const refreshed = async (credentials: TestApp['credentials']): Promise<unknown[]> => {
    const [chain] = chains as [Chain];
    chain.credentials = credentials;
    const seen: unknown[] = [];
    for (const { url } of processes) {
      const outcome = await chain.refresh(url);
      seen.push(typeof outcome === 'string' ? outcome : (outcome.body.error ?? outcome.status));
    }
    return seen;
  };
  const oldSecretUsed = async (): Promise<Body[]> => {
    const events: Body[] = await commands.json('audit', '--app', before.client_id);
    return events.filter(({ type }) => type === 'app.old_secret_used');
  };

  it('costs no request: the old one works beside the new one while clients move over one by one', async () => {
    const urls = processes.map(({ url }) => url);
    const load = new Load(chains, urls);
    await load.answeredMore(100);
    expect(await oldSecretUsed()).toEqual([]);
    after = await commands.json('apps', 'rotate-secret', before.client_id, '--keep-old', '24h');
    await load.answeredMore(100);
    for (const chain of chains) {
      chain.credentials = after;
      await load.answeredMore(50);
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
    await letTimePass(DAY);
    expect(await refreshed(before)).toEqual(['invalid_client', 'invalid_client']);
    expect(await refreshed(after)).toEqual([200, 200]);
  });

  /** The clocks of the processes cannot be moved, so what the command wrote down is: to so much earlier. */
  const letTimePass = async (milliseconds: number): Promise<void> => {
    const service = await Service.start({ DATABASE_URL: database.url });
    const { id, oldSecretUntil } = await service.database.findOneByOrFail(App, { id: before.client_id });
    const earlier = new Date(oldSecretUntil!.getTime() - milliseconds);
    await service.get(Transactions).run((tx) => tx.update(App, { id }, { oldSecretUntil: earlier }));
    await service.stop();
  };
});
