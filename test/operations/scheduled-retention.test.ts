import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Authorization } from '../../src/identity/oauth/authorization.entity.js';
import { RefreshToken } from '../../src/identity/oauth/refresh-token.entity.js';
import { LEASE_MS, TaskLeaseService } from '../../src/platform/scheduling/task-lease.service.js';
import { TaskScheduler } from '../../src/platform/scheduling/task-scheduler.service.js';
import { RetentionService } from '../../src/platform/scheduling/retention.service.js';
import { DELETE_BATCH_SIZE } from '../../src/platform/scheduling/expired-row-deleter.js';
import { Cli } from '../support/cli.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createAccount, registerApp, issueTokens } from '../support/factories.js';
import { createTempFolder, ServerProcess } from '../support/server-process.js';
import { TestServer } from '../support/test-server.js';
import { insertExpiredTokens } from '../support/expired-tokens.js';
import { restoreClock, advanceClock, SECOND_MS } from '../support/fake-clock.js';

const HOUR_MS = 3600 * SECOND_MS;

/** More than a batch or two, in chains that lie in several. */
const [CHAIN_COUNT, TOKENS_PER_CHAIN] = [300, 4];
const EXPIRED_ROW_COUNT = CHAIN_COUNT * TOKENS_PER_CHAIN + CHAIN_COUNT;

describe('Cleaning up, batch by batch', () => {
  let database: TestDatabase;
  let server: TestServer;

  beforeEach(async () => {
    database = await createDatabase();
    server = await TestServer.start({ DATABASE_URL: database.url });
  });
  afterEach(async () => {
    restoreClock();
    await server.stop();
    await database.drop();
  });

  const left = (): Promise<number[]> =>
    Promise.all([RefreshToken, Authorization].map((entity) => server.entityManager.count(entity)));
  const untilClean = async (): Promise<void> => {
    while ((await server.entityManager.count(RefreshToken)) > 0) await nextTurn();
  };

  it('lets others refresh meanwhile, and keeps what they have', async () => {
    await insertExpiredTokens(server, CHAIN_COUNT, TOKENS_PER_CHAIN);
    const { app, credentials } = await registerApp(server);
    let { refresh_token } = await issueTokens(server, { app, account: await createAccount(server) });
    let isRunning = true;
    const cleaning = server
      .get(RetentionService)
      .deleteExpired()
      .finally(() => (isRunning = false));
    let count = 0;
    for (; isRunning; count++) {
      const body = { grant_type: 'refresh_token', refresh_token, ...credentials };
      const answer = await server.request('POST', '/api/oauth/token', { body });
      expect(answer.status).toBe(200);
      refresh_token = answer.body.refresh_token;
    }
    expect(await cleaning).toBe(EXPIRED_ROW_COUNT);
    expect(count).toBeGreaterThan(1);
    expect(await left()).toEqual([count + 1, 1]);
  });

  it('deletes whole chains where several do it at once', async () => {
    await insertExpiredTokens(server, DELETE_BATCH_SIZE, 4); // a token of each chain for each of four
    const other = await TestServer.start({ DATABASE_URL: database.url });
    const deleted = await Promise.all(
      [server, other, server, other].map((one) => one.get(RetentionService).deleteExpired()),
    );
    expect(deleted.reduce((sum, count) => sum + count)).toBe(4 * DELETE_BATCH_SIZE + DELETE_BATCH_SIZE);
    expect(await left()).toEqual([0, 0]);
    await other.stop();
  });

  it('is done by hand, by two at once as well: tokens purge', async () => {
    await insertExpiredTokens(server, CHAIN_COUNT, TOKENS_PER_CHAIN);
    const commands = new Cli(database.url);
    const runs = await Promise.all([commands.run('tokens', 'purge'), commands.run('tokens', 'purge')]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    const deleted = runs.map(({ json }) => (json as { deleted: number }).deleted);
    expect(deleted[0]! + deleted[1]!).toBe(EXPIRED_ROW_COUNT);
    expect(await left()).toEqual([0, 0]);
    expect(await commands.runJson('tokens', 'purge')).toEqual({ deleted: 0 });
  });

  it('is done by one of the processes that start', async () => {
    await insertExpiredTokens(server, CHAIN_COUNT, TOKENS_PER_CHAIN);
    const folder = await createTempFolder();
    const environment = {
      DATABASE_URL: database.url,
      MASTER_SECRET: 'a secret of the tests, and of them alone',
      DEMO_DATA: 'off',
    };
    const processes = await Promise.all([1, 2, 3].map(() => ServerProcess.start(folder.path, environment)));
    const told = new RegExp(`Deleted ${EXPIRED_ROW_COUNT} rows`, 'g');
    await Promise.race(processes.map((one) => one.waitForOutput(told)));
    await Promise.all(processes.map((one) => one.stop()));
    await folder.remove();
    expect(processes.filter(({ output }) => output().includes('Deleted'))).toHaveLength(1);
    expect(await left()).toEqual([0, 0]);
  });

  it('ends in the middle when the service stops, and loses nothing but whole batches', async () => {
    await insertExpiredTokens(server, CHAIN_COUNT, TOKENS_PER_CHAIN);
    const over = new AbortController();
    const gone = await server
      .get(RetentionService)
      .deleteExpired({ onProgress: () => over.abort(), signal: over.signal });
    expect(gone).toBeGreaterThanOrEqual(DELETE_BATCH_SIZE);
    const [tokens, chains] = await left();
    expect([tokens, gone]).toEqual([
      CHAIN_COUNT * TOKENS_PER_CHAIN - DELETE_BATCH_SIZE,
      DELETE_BATCH_SIZE + CHAIN_COUNT - chains!,
    ]);
  });

  it('comes again after an hour, not before, and after it failed', async () => {
    const schedule = server.get(TaskScheduler);
    const rename = (from: string, to: string): Promise<unknown> =>
      server.get(TransactionService).run((tx) => tx.query(`ALTER TABLE ${from} RENAME TO ${to}`));
    advanceClock(0);
    await rename('scheduled_tasks', 'elsewhere');
    schedule.start(10);
    await insertExpiredTokens(server, 1, 1);
    await rename('elsewhere', 'scheduled_tasks');
    await untilClean();
    await insertExpiredTokens(server, 1, 1);
    expect(await server.get(TaskLeaseService).acquire('clean-up')).toBe(false);
    advanceClock(HOUR_MS);
    await untilClean();
  });

  it('is given to one of many that ask at once', async () => {
    const other = await TestServer.start({ DATABASE_URL: database.url });
    const asking = [server, other, server, other].map((one) => one.get(TaskLeaseService).acquire('a task'));
    expect((await Promise.all(asking)).filter(Boolean)).toHaveLength(1);
    await other.stop();
  });

  it('is taken over by another process when the lease of a crashed process has expired', async () => {
    const leases = server.get(TaskLeaseService);
    advanceClock(0);
    expect(await leases.acquire('a task')).toBe(true);
    advanceClock(LEASE_MS - SECOND_MS);
    expect(await leases.acquire('a task')).toBe(false);
    advanceClock(SECOND_MS);
    expect(await leases.acquire('a task')).toBe(true);
  });

  it('is due again an interval after its lease was released', async () => {
    const leases = server.get(TaskLeaseService);
    advanceClock(0);
    await leases.acquire('a task');
    await leases.release('a task', HOUR_MS);
    advanceClock(HOUR_MS - SECOND_MS);
    expect(await leases.acquire('a task')).toBe(false);
    advanceClock(SECOND_MS);
    expect(await leases.acquire('a task')).toBe(true);
  });
});
