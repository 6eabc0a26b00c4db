import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Authorization } from '../../src/identity/oauth/authorization.entity.js';
import { RefreshToken } from '../../src/identity/oauth/refresh-token.entity.js';
import {
  TASK_LEASE_MS,
  TaskLeaseService,
  TaskSchedulerService,
} from '../../src/platform/scheduling/task-scheduler.service.js';
import { RetentionService } from '../../src/platform/scheduling/retention.service.js';
import { DELETE_BATCH_SIZE } from '../../src/platform/scheduling/retention-policy.js';
import { Cli } from '../support/cli.js';
import { ScheduledTask } from '../../src/platform/scheduling/scheduled-task.entity.js';
import { createAccount, registerApp, issueTokens } from '../support/factories.js';
import { ServerProcess } from '../support/server-process.js';
import { createTempFolder } from '../support/temp-folder.js';
import { TEST_SETTINGS } from '../support/test-settings.js';
import { refreshTokens } from '../support/token-endpoint.js';
import { TestServer } from '../support/test-server.js';
import { insertExpiredTokens } from '../support/expired-tokens.js';
import { restoreClock, advanceClock, DAY_MS, SECOND_MS } from '../support/fake-clock.js';

const HOUR_MS = 3600 * SECOND_MS;

/** More rows than two batches, in chains that cross the batch limits. */
const [CHAIN_COUNT, TOKENS_PER_CHAIN] = [300, 4];
const EXPIRED_ROW_COUNT = CHAIN_COUNT * TOKENS_PER_CHAIN + CHAIN_COUNT;

describe('Retention in batches', () => {
  let server: TestServer;
  let otherServer: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
    otherServer = await TestServer.start({ DATABASE_URL: server.settings.DATABASE_URL });
  });
  beforeEach(async () => {
    await server.get(TransactionService).run(async (tx) => {
      for (const entity of [RefreshToken, Authorization, ScheduledTask])
        await tx.createQueryBuilder().delete().from(entity).execute();
    });
  });
  afterEach(restoreClock);
  afterAll(async () => {
    await otherServer.stop();
    await server.stop();
  });

  const remaining = (): Promise<number[]> =>
    Promise.all([RefreshToken, Authorization].map((entity) => server.entityManager.count(entity)));
  const waitUntilClean = async (): Promise<void> => {
    while ((await server.entityManager.count(RefreshToken)) > 0) await nextTurn();
  };

  it('does not block concurrent refreshes, and keeps their tokens', async () => {
    await insertExpiredTokens(server, CHAIN_COUNT, TOKENS_PER_CHAIN);
    const app = await registerApp(server);
    let { refresh_token } = await issueTokens(server, { ...app, account: await createAccount(server) });
    let isRunning = true;
    const cleaning = server
      .get(RetentionService)
      .deleteExpired(Date.now())
      .finally(() => (isRunning = false));
    let count = 0;
    for (; isRunning; count++) {
      const response = await refreshTokens(server, app, refresh_token);
      expect(response.status).toBe(200);
      refresh_token = response.body.refresh_token;
    }
    expect(await cleaning).toBe(EXPIRED_ROW_COUNT);
    expect(count).toBeGreaterThan(1);
    expect(await remaining()).toEqual([count + 1, 1]);
  });

  it('deletes whole chains when several servers run it concurrently', async () => {
    // four concurrent runs get one token of each chain
    await insertExpiredTokens(server, DELETE_BATCH_SIZE, 4);
    const deleted = await Promise.all(
      [server, otherServer, server, otherServer].map((one) => one.get(RetentionService).deleteExpired(Date.now())),
    );
    expect(deleted.reduce((sum, count) => sum + count)).toBe(4 * DELETE_BATCH_SIZE + DELETE_BATCH_SIZE);
    expect(await remaining()).toEqual([0, 0]);
  });

  it('runs with tokens purge, also twice concurrently', async () => {
    await insertExpiredTokens(server, CHAIN_COUNT, TOKENS_PER_CHAIN);
    const commands = new Cli(server.settings.DATABASE_URL);
    const runs = await Promise.all([commands.run('tokens', 'purge'), commands.run('tokens', 'purge')]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    const deleted = runs.map(({ json }) => (json as { deleted: number }).deleted);
    expect(deleted[0]! + deleted[1]!).toBe(EXPIRED_ROW_COUNT);
    expect(await remaining()).toEqual([0, 0]);
    expect(await commands.runJson('tokens', 'purge')).toEqual({ deleted: 0 });
  });

  it('runs in one of the processes that start', async () => {
    await insertExpiredTokens(server, CHAIN_COUNT, TOKENS_PER_CHAIN);
    const folder = await createTempFolder();
    const environment = { ...TEST_SETTINGS, DATABASE_URL: server.settings.DATABASE_URL, DEMO_DATA: 'off' };
    const processes = await Promise.all([1, 2, 3].map(() => ServerProcess.start(folder.path, environment)));
    const results = new RegExp(`"event":"expired_rows_deleted".*"count":${EXPIRED_ROW_COUNT},`, 'g');
    await Promise.race(processes.map((one) => one.waitForOutput(results)));
    await Promise.all(processes.map((one) => one.stop()));
    await folder.remove();
    expect(processes.filter(({ output }) => output().includes('expired_rows_deleted'))).toHaveLength(1);
    expect(await remaining()).toEqual([0, 0]);
  });

  it('stops after a batch when the server stops', async () => {
    await insertExpiredTokens(server, CHAIN_COUNT, TOKENS_PER_CHAIN);
    const abort = new AbortController();
    const gone = await server
      .get(RetentionService)
      .deleteExpired(Date.now(), { onProgress: () => abort.abort(), signal: abort.signal });
    expect(gone).toBeGreaterThanOrEqual(DELETE_BATCH_SIZE);
    const [tokens, chains] = await remaining();
    expect([tokens, gone]).toEqual([
      CHAIN_COUNT * TOKENS_PER_CHAIN - DELETE_BATCH_SIZE,
      DELETE_BATCH_SIZE + CHAIN_COUNT - chains!,
    ]);
  });

  it('runs again when it is due, and after a failure', async () => {
    const schedule = server.get(TaskSchedulerService);
    const rename = (from: string, to: string): Promise<unknown> =>
      server.get(TransactionService).run((tx) => tx.query(`ALTER TABLE ${from} RENAME TO ${to}`));
    advanceClock(0);
    await rename('scheduled_tasks', 'elsewhere');
    schedule.start(10);
    await insertExpiredTokens(server, 1, 1);
    await rename('elsewhere', 'scheduled_tasks');
    await waitUntilClean();
    await insertExpiredTokens(server, 1, 1);
    expect(await server.get(TaskLeaseService).acquire('clean-up', HOUR_MS)).toBeUndefined();
    await server
      .get(TransactionService)
      .run((tx) => tx.update(ScheduledTask, { name: 'clean-up' }, { dueAt: new Date() }));
    await waitUntilClean();
  });

  it('grants a lease to one of several concurrent requests', async () => {
    const requests = [server, otherServer, server, otherServer].map((one) =>
      one.get(TaskLeaseService).acquire('contended-task', HOUR_MS),
    );
    expect((await Promise.all(requests)).filter(Boolean)).toHaveLength(1);
  });

  it('is taken over by another process when the lease of a crashed process has expired', async () => {
    const leases = server.get(TaskLeaseService);
    advanceClock(0);
    expect(await leases.acquire('crashed-task', HOUR_MS)).toBeInstanceOf(Date);
    advanceClock(TASK_LEASE_MS - SECOND_MS);
    expect(await leases.acquire('crashed-task', HOUR_MS)).toBeUndefined();
    advanceClock(SECOND_MS);
    expect(await leases.acquire('crashed-task', HOUR_MS)).toBeInstanceOf(Date);
  });

  it('is due again an interval after its lease was released', async () => {
    const leases = server.get(TaskLeaseService);
    advanceClock(0);
    const lease = (await leases.acquire('released-task', HOUR_MS))!;
    await leases.release('released-task', lease, HOUR_MS);
    advanceClock(HOUR_MS - SECOND_MS);
    expect(await leases.acquire('released-task', HOUR_MS)).toBeUndefined();
    advanceClock(SECOND_MS);
    expect(await leases.acquire('released-task', HOUR_MS)).toBeInstanceOf(Date);
  });

  it('is due in spite of the times that a clock stored that was ahead', async () => {
    const leases = server.get(TaskLeaseService);
    advanceClock(90 * DAY_MS);
    const lease = (await leases.acquire('early-task', HOUR_MS))!;
    restoreClock();
    const next = (await leases.acquire('early-task', HOUR_MS))!;
    expect(next.getTime()).toBeLessThan(lease.getTime());
    advanceClock(90 * DAY_MS);
    await leases.release('early-task', next, HOUR_MS);
    restoreClock();
    expect(await leases.acquire('early-task', HOUR_MS)).toBeInstanceOf(Date);
  });

  it('is not due because of times that a clock stored that was four minutes ahead', async () => {
    const leases = server.get(TaskLeaseService);
    advanceClock(240 * SECOND_MS);
    const lease = (await leases.acquire('early-task', HOUR_MS))!;
    advanceClock(-240 * SECOND_MS);
    expect(await leases.acquire('early-task', HOUR_MS)).toBeUndefined();
    advanceClock(240 * SECOND_MS);
    await leases.release('early-task', lease, HOUR_MS);
    advanceClock(-240 * SECOND_MS);
    expect(await leases.acquire('early-task', HOUR_MS)).toBeUndefined();
  });

  it('keeps the lease that another process took when the first process ends late', async () => {
    const leases = server.get(TaskLeaseService);
    advanceClock(0);
    const expired = (await leases.acquire('slow-task', HOUR_MS))!;
    advanceClock(TASK_LEASE_MS);
    await leases.acquire('slow-task', HOUR_MS);
    await leases.release('slow-task', expired, 0);
    expect(await leases.acquire('slow-task', HOUR_MS)).toBeUndefined();
  });
});
