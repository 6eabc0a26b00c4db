import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KeyRotationService } from '../../src/identity/keys/key-rotation.service.js';
import { SigningKey } from '../../src/identity/keys/signing-key.entity.js';
import { RefreshToken } from '../../src/identity/oauth/refresh-token.entity.js';
import { MetricsService } from '../../src/platform/metrics/metrics.service.js';
import { ClockService } from '../../src/platform/scheduling/clock.service.js';
import { ScheduledTask } from '../../src/platform/scheduling/scheduled-task.entity.js';
import { TaskSchedulerService } from '../../src/platform/scheduling/task-scheduler.service.js';
import { Cli } from '../support/cli.js';
import { isPostgres } from '../support/database.js';
import { insertExpiredTokens } from '../support/expired-tokens.js';
import { createAccount, issueTokens, registerApp } from '../support/factories.js';
import { advanceClock, DAY_MS, restoreClock, SECOND_MS } from '../support/fake-clock.js';
import { TestServer } from '../support/test-server.js';
import { refreshTokens } from '../support/token-endpoint.js';

const HOUR_MS = 3600 * SECOND_MS;

describe('The clock of a process', () => {
  let server: TestServer;

  beforeEach(async () => {
    server = await TestServer.start();
  });
  afterEach(async () => {
    restoreClock();
    await server.stop();
  });

  const countTokens = (): Promise<number> => server.entityManager.count(RefreshToken);
  const purge = (...options: string[]) => new Cli(server.settings.DATABASE_URL).run('tokens', 'purge', ...options);
  /** Expects that `tokens purge` fails with this reason. */
  const expectRefusal = (reason: RegExp, ...options: string[]): Promise<string> =>
    new Cli(server.settings.DATABASE_URL).expectFailure(1, reason, 'tokens', 'purge', ...options);
  /** Runs the due tasks in a process that starts, and that may have compared the clocks before. */
  const runTasksAtStart = async (isCompared = true): Promise<void> => {
    const process = await TestServer.start({ DATABASE_URL: server.settings.DATABASE_URL });
    if (isCompared) await process.get(ClockService).start();
    process.get(TaskSchedulerService).start();
    await process.stop(); // waits for the tasks
  };
  const countKeys = (): Promise<number> => server.entityManager.count(SigningKey);
  const issueRefreshToken = async (): Promise<() => Promise<number>> => {
    const app = await registerApp(server);
    const { refresh_token } = await issueTokens(server, { ...app, account: await createAccount(server) });
    return async () => (await refreshTokens(server, app, refresh_token)).status;
  };

  if (isPostgres) {
    const readiness = async (): Promise<{ status: number; error: object }> => {
      await server.get(ClockService).start();
      const { status, body } = await server.request('GET', '/health/ready');
      return { status, error: body.error };
    };

    it.each([
      ['ahead of', 65 * DAY_MS],
      ['behind', -65 * DAY_MS],
    ])('deletes nothing and runs no task if it is 65 days %s the clock of PostgreSQL', async (direction, offset) => {
      const refresh = await issueRefreshToken();
      await insertExpiredTokens(server, 1, 1);
      advanceClock(offset);
      const sentence = new RegExp(`may be wrong. The clock is 56\\d{5} s ${direction} the clock of the database`);
      await expectRefusal(sentence);
      await expectRefusal(sentence, '--confirm-clock');
      await runTasksAtStart();
      expect(await countTokens()).toBe(2);
      expect(await server.entityManager.count(ScheduledTask)).toBe(0);
      restoreClock();
      expect(await refresh()).toBe(200);
      expect(await purge()).toMatchObject({ code: 0, json: { deleted: 2 } });
    });

    it('makes the process not ready beyond 60 s, until it is right again', async () => {
      for (const offset of [35 * DAY_MS, -70 * SECOND_MS]) {
        advanceClock(offset);
        expect(await readiness()).toEqual({
          status: 503,
          error: {
            clock: expect.objectContaining({ status: 'down', message: expect.stringMatching(/^The clock is/) }),
          },
        });
        restoreClock();
        expect(await readiness()).toEqual({ status: 200, error: {} });
      }
    });

    it('retires no key if it became wrong since the last comparison', async () => {
      await server.get(KeyRotationService).rotate();
      advanceClock(65 * DAY_MS);
      await runTasksAtStart(false);
      expect(await countKeys()).toBe(4);
    });

    it('is a metric, and up to 60 s the process stays ready and deletes', async () => {
      await insertExpiredTokens(server, 1, 1);
      advanceClock(30 * SECOND_MS);
      expect((await readiness()).status).toBe(200);
      const metrics = await server.get(MetricsService).registry.metrics();
      expect(Number(/^clock_offset_seconds (.*)$/m.exec(metrics)![1])).toBeCloseTo(30, -1);
      expect(await purge()).toMatchObject({ code: 0, json: { deleted: 2 } });
    });
  } else {
    const cleanUp = (): Promise<number> => server.get(ClockService).startCleanUp();

    it('deletes nothing 40 days after the last clean-up until --confirm-clock', async () => {
      const refresh = await issueRefreshToken();
      await runTasksAtStart();
      advanceClock(65 * DAY_MS);
      await expectRefusal(/more than 40 days ago, at .*run tokens purge --confirm-clock/);
      await runTasksAtStart();
      expect(await countTokens()).toBe(1);
      restoreClock();
      expect(await refresh()).toBe(200);
      advanceClock(65 * DAY_MS);
      expect(await purge('--confirm-clock')).toMatchObject({ code: 0, json: { deleted: expect.any(Number) } });
      expect(await countTokens()).toBe(0);
      expect((await purge()).code).toBe(0);
    });

    it('retires no key 40 days after the last clean-up, and retires it when it is right again', async () => {
      await runTasksAtStart();
      await server.get(KeyRotationService).rotate();
      advanceClock(65 * DAY_MS);
      await runTasksAtStart();
      expect(await countKeys()).toBe(4);
      restoreClock();
      advanceClock(3 * HOUR_MS);
      await runTasksAtStart();
      expect(await countKeys()).toBe(2);
    });

    it('deletes within 40 days of the last clean-up, and before the first clean-up', async () => {
      await insertExpiredTokens(server, 1, 1);
      advanceClock(65 * DAY_MS);
      expect((await purge()).code).toBe(0);
      advanceClock(39 * DAY_MS);
      expect((await purge()).code).toBe(0);
      advanceClock(39 * DAY_MS);
      expect((await server.request('GET', '/health/ready')).status).toBe(200);
      expect((await purge()).code).toBe(0);
    });

    it('deletes nothing more than one hour before the newest row, until --confirm-clock', async () => {
      advanceClock(10 * DAY_MS);
      await issueRefreshToken(); // its audit event is the newest row
      restoreClock();
      await expectRefusal(/earlier than the newest row, of .*run tokens purge --confirm-clock/);
      await expect(cleanUp()).rejects.toMatchObject({ code: 'clock_doubtful' });
      expect((await purge('--confirm-clock')).code).toBe(0);
      expect(await cleanUp()).toBeGreaterThan(0);
      advanceClock(HOUR_MS);
      expect(await cleanUp()).toBeGreaterThan(0);
    });

    it('can be less than one hour earlier than the newest row', async () => {
      advanceClock(0.9 * HOUR_MS);
      await issueRefreshToken();
      restoreClock();
      expect((await purge()).code).toBe(0);
    });

    it('deletes nothing more than one hour before the last clean-up', async () => {
      advanceClock(1.1 * HOUR_MS);
      await cleanUp();
      restoreClock();
      await expectRefusal(/earlier than the newest row/);
    });
  }
});
