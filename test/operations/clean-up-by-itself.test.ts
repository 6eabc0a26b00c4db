import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Transactions } from '../../src/database/transactions.js';
import { Authorization } from '../../src/oauth/authorization.entity.js';
import { RefreshToken } from '../../src/oauth/refresh-token.entity.js';
import { Chores } from '../../src/operations/chores.service.js';
import { HourlyChores } from '../../src/operations/hourly-chores.js';
import { CleanUp } from '../../src/operations/clean-up.service.js';
import { BATCH } from '../../src/operations/stale-rows.js';
import { CommandLine } from '../support/command-line.js';
import { newDatabase, type TestDatabase } from '../support/database.js';
import { newAccount, newApp, newTokens } from '../support/factories.js';
import { newFolder, StartedService } from '../support/processes.js';
import { Service } from '../support/service.js';
import { newStaleTokens } from '../support/stale-tokens.js';
import { backToNow, later, SECOND } from '../support/time.js';

const HOUR = 3600 * SECOND;

/** More than a batch or two, in chains that lie in several. */
const [CHAINS, TOKENS_OF_EACH] = [300, 4];
const ALL = CHAINS * TOKENS_OF_EACH + CHAINS;

describe('Cleaning up, batch by batch', () => {
  let database: TestDatabase;
  let service: Service;

  beforeEach(async () => {
    database = await newDatabase();
    service = await Service.start({ DATABASE_URL: database.url });
  });
  afterEach(async () => {
    backToNow();
    await service.stop();
    await database.drop();
  });

  const left = (): Promise<number[]> =>
    Promise.all([RefreshToken, Authorization].map((entity) => service.database.count(entity)));
  const untilClean = async (): Promise<void> => {
    while ((await service.database.count(RefreshToken)) > 0) await nextTurn();
  };

  it('lets others refresh meanwhile, and keeps what they have', async () => {
    await newStaleTokens(service, CHAINS, TOKENS_OF_EACH);
    const { app, credentials } = await newApp(service);
    let { refresh_token } = await newTokens(service, { app, account: await newAccount(service) });
    let isRunning = true;
    const cleaning = service
      .get(CleanUp)
      .run()
      .finally(() => (isRunning = false));
    let count = 0;
    for (; isRunning; count++) {
      const body = { grant_type: 'refresh_token', refresh_token, ...credentials };
      const answer = await service.call('POST', '/api/oauth/token', { body });
      expect(answer.status).toBe(200);
      refresh_token = answer.body.refresh_token;
    }
    expect(await cleaning).toBe(ALL);
    expect(count).toBeGreaterThan(1);
    expect(await left()).toEqual([count + 1, 1]);
  });

  it('deletes whole chains where several do it at once', async () => {
    await newStaleTokens(service, BATCH, 4); // a token of each chain for each of four
    const other = await Service.start({ DATABASE_URL: database.url });
    const deleted = await Promise.all([service, other, service, other].map((one) => one.get(CleanUp).run()));
    expect(deleted.reduce((sum, count) => sum + count)).toBe(4 * BATCH + BATCH);
    expect(await left()).toEqual([0, 0]);
    await other.stop();
  });

  it('is done by hand, by two at once as well: tokens purge', async () => {
    await newStaleTokens(service, CHAINS, TOKENS_OF_EACH);
    const commands = new CommandLine(database.url);
    const runs = await Promise.all([commands.run('tokens', 'purge'), commands.run('tokens', 'purge')]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    const deleted = runs.map(({ json }) => (json as { deleted: number }).deleted);
    expect(deleted[0]! + deleted[1]!).toBe(ALL);
    expect(await left()).toEqual([0, 0]);
    expect(await commands.json('tokens', 'purge')).toEqual({ deleted: 0 });
  });

  it('is done by one of the processes that start', async () => {
    await newStaleTokens(service, CHAINS, TOKENS_OF_EACH);
    const folder = await newFolder();
    const environment = {
      DATABASE_URL: database.url,
      MASTER_SECRET: 'a secret of the tests, and of them alone',
      DEMO_DATA: 'off',
    };
    const processes = await Promise.all([1, 2, 3].map(() => StartedService.in(folder.path, environment)));
    const told = new RegExp(`Deleted ${ALL} rows`, 'g');
    await Promise.race(processes.map((one) => one.prints(told)));
    await Promise.all(processes.map((one) => one.stop()));
    await folder.remove();
    expect(processes.filter(({ output }) => output().includes('Deleted'))).toHaveLength(1);
    expect(await left()).toEqual([0, 0]);
  });

  it('ends in the middle when the service stops, and loses nothing but whole batches', async () => {
    await newStaleTokens(service, CHAINS, TOKENS_OF_EACH);
    const over = new AbortController();
    const gone = await service.get(CleanUp).run({ follow: () => over.abort(), signal: over.signal });
    expect(gone).toBeGreaterThanOrEqual(BATCH);
    const [tokens, chains] = await left();
    expect([tokens, gone]).toEqual([CHAINS * TOKENS_OF_EACH - BATCH, BATCH + CHAINS - chains!]);
  });

  it('comes again after an hour, not before, and after it failed', async () => {
    const schedule = service.get(HourlyChores);
    const rename = (from: string, to: string): Promise<unknown> =>
      service.get(Transactions).run((tx) => tx.query(`ALTER TABLE ${from} RENAME TO ${to}`));
    later(0);
    await rename('chores', 'elsewhere');
    schedule.start(10);
    await newStaleTokens(service, 1, 1);
    await rename('elsewhere', 'chores');
    await untilClean();
    await newStaleTokens(service, 1, 1);
    expect(await service.get(Chores).take('clean-up', HOUR)).toBe(false);
    later(HOUR);
    await untilClean();
  });

  it('is given to one of many that ask at once', async () => {
    const other = await Service.start({ DATABASE_URL: database.url });
    const asking = [service, other, service, other].map((one) => one.get(Chores).take('a chore', HOUR));
    expect((await Promise.all(asking)).filter(Boolean)).toHaveLength(1);
    await other.stop();
  });
});
