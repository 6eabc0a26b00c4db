import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createDatabase, isPostgres, type TestDatabase } from '../support/database.js';
import { PartialRequest, sendProbe, ContinuousLoad, tryConnect } from '../support/http-load.js';
import { ServerProcess } from '../support/server-process.js';
import { runNode } from '../support/run-command.js';
import { findFreePort } from '../support/free-port.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';

/** Milliseconds within which a worker that does not respond must be killed. */
const HUNG_WORKER_TIMEOUT_MS = 15_000;

/** Milliseconds for a test that waits for hung workers and their replacements. */
const SLOW_TEST_TIMEOUT_MS = 300_000;

describe('WORKERS', () => {
  let database: TestDatabase;
  let folder: TempFolder;
  let server: ServerProcess | undefined;
  let pressing: ContinuousLoad | undefined;

  beforeEach(async () => {
    [database, folder] = await Promise.all([createDatabase(), createTempFolder()]);
  });
  afterEach(async () => {
    await pressing?.stop();
    pressing = undefined;
    await server?.stop();
    await server?.waitForClose();
    server = undefined;
    await database.drop();
    await folder.remove();
  });

  const start = async (environment: Record<string, string> = {}): Promise<ServerProcess> => {
    const settings = { DATABASE_URL: database.url, NODE_ENV: 'test', WORKERS: '2' };
    server = await ServerProcess.start(folder.path, { ...settings, ...environment });
    return server;
  };

  if (!isPostgres) {
    it('greater than one is rejected on SQLite with the reason', async () => {
      await expect(start()).rejects.toThrow(
        /The service did not start\.\nWORKERS must be 1 with SQLite, which allows one writer at a time.*use PostgreSQL\.\n$/,
      );
    });

    it('of one starts no worker process', async () => {
      const { output } = await start({ WORKERS: '1' });
      expect(output()).toMatch(/^The street art map listens at/);
    });
    return;
  }

  /** Starts the service, and waits until every worker responds. @returns their process ids */
  const startAll = async (workers = 2): Promise<number[]> => {
    await start({ WORKERS: String(workers) });
    return waitForWorkers(workers);
  };
  /**
   * Waits until this many workers have started, including ended ones.
   * @returns their process ids
   */
  const waitForWorkers = async (workers: number): Promise<number[]> => {
    const evaluation = await server!.waitForOutput(/"event":"worker_ready".*"worker_pid":(\d+)/g, workers);
    return evaluation.map(([, pid]) => Number(pid));
  };
  const probes = (count: number): Promise<number | string>[] =>
    Array.from({ length: count }, () => sendProbe(server!.url));
  /** Waits until connections are refused. The last accepted connection may get no response. */
  const waitUntilRefused = async (): Promise<void> => {
    while ((await tryConnect(server!.url)) !== 'ECONNREFUSED');
  };

  it('all respond to requests', async () => {
    for (const stored of await startAll()) {
      process.kill(stored, 'SIGSTOP');
      const request = probes(10);
      await waitForSettled(request, 9); // the suspended worker may have one request
      process.kill(stored, 'SIGCONT');
      expect(await Promise.all(request)).toEqual(Array(10).fill(200));
    }
  });

  it('print the greeting once, and load the demo data once', async () => {
    await startAll(3);
    expect(server!.output().match(/listens at/g)).toHaveLength(1);
    expect(server!.output().match(/created demo data/g)).toHaveLength(1);
  });

  it('need more than twice the memory of their supervisor, which does not load the application', async () => {
    const [worker] = await startAll();
    const [workerKib, supervisorKib] = await Promise.all([worker!, server!.pid].map(readMemory));
    expect(workerKib).toBeGreaterThan(2 * supervisorKib!);
  });

  it('complete their requests when the service stops, with exit code 0', async () => {
    await startAll(3);
    const begun = await Promise.all(Array.from({ length: 30 }, () => PartialRequest.open(server!.url)));
    pressing = new ContinuousLoad(server!.url, 4);
    const stopped = server!.stop('SIGTERM');
    await waitUntilRefused();
    const responses = await Promise.all(begun.map((one) => one.complete()));
    expect(responses).toEqual(Array(30).fill(401));
    expect(await stopped).toBe(0);
    await pressing.stop();
    await server!.waitForClose();
  });

  it('stop with exit code 0 when all processes receive SIGINT, as from Ctrl-C', async () => {
    const workers = await startAll();
    const begun = await Promise.all(Array.from({ length: 10 }, () => PartialRequest.open(server!.url)));
    for (const pid of workers) process.kill(pid, 'SIGINT');
    const stopped = server!.stop('SIGINT');
    await waitUntilRefused();
    expect(await Promise.all(begun.map((one) => one.complete()))).toEqual(Array(10).fill(401));
    expect(await stopped).toBe(0);
    expect(server!.output()).not.toMatch(/worker_restarting/);
  });

  it('are replaced when they crash, while the others respond', async () => {
    const [killed] = await startAll();
    const callers = 8;
    pressing = new ContinuousLoad(server!.url, callers);
    process.kill(killed!, 'SIGKILL');
    const [, , replacement] = await waitForWorkers(3);
    expect(server!.output()).toMatch(new RegExp(`"event":"worker_exited".*"worker_pid":${killed},"reason":"SIGKILL"`));
    await pressing.stop();
    const failed = pressing.outcomes.filter((outcome) => outcome !== 200);
    // Each client may lose the one request that the killed worker processed.
    expect(failed.length).toBeLessThanOrEqual(callers);
    expect(pressing.outcomes.length).toBeGreaterThan(callers);
    process.kill(replacement!, 0);
    expect(await Promise.all(probes(20))).toEqual(Array(20).fill(200));
  });

  it(
    `are killed within ${HUNG_WORKER_TIMEOUT_MS / 1000} s when they hang, and replaced, while the others respond`,
    async () => {
      const [hung] = await startAll();
      const callers = 2;
      pressing = new ContinuousLoad(server!.url, callers);
      process.kill(hung!, 'SIGSTOP');
      const stoppedAt = performance.now();
      await server!.waitForOutput(new RegExp(`"event":"worker_exited".*"worker_pid":${hung}`, 'g'));
      expect(performance.now() - stoppedAt).toBeLessThan(HUNG_WORKER_TIMEOUT_MS);
      await pressing.stop();
      // A connection that was passed to the hung worker gets no response.
      const failed = pressing.outcomes.filter((outcome) => outcome !== 200);
      expect(failed.length).toBeLessThanOrEqual(1);
      expect(pressing.outcomes.length).toBeGreaterThan(callers);
      await waitForWorkers(3);
      expect(server!.output().match(/"event":"worker_hung"/g)).toHaveLength(1);
      expect(await Promise.all(probes(20))).toEqual(Array(20).fill(200));
    },
    SLOW_TEST_TIMEOUT_MS,
  );

  it(
    'are replaced one after the other when all hang',
    async () => {
      const workers = await startAll(3);
      for (const pid of workers) process.kill(pid, 'SIGSTOP');
      const request = sendProbe(server!.url);
      const killed = await server!.waitForOutput(/"timestamp":(\d+).*"event":"worker_hung"/g, 3);
      const times = killed.map(([, timestamp]) => Number(timestamp));
      for (const index of [1, 2]) expect(times[index]! - times[index - 1]!).toBeGreaterThan(500);
      await waitForWorkers(6);
      await request;
      expect(await Promise.all(probes(20))).toEqual(Array(20).fill(200));
    },
    SLOW_TEST_TIMEOUT_MS,
  );

  it('complete their requests and stop when the main process is killed', async () => {
    await startAll();
    const begun = await Promise.all(Array.from({ length: 10 }, () => PartialRequest.open(server!.url)));
    await server!.stop('SIGKILL');
    await waitUntilRefused();
    expect(await Promise.all(begun.map((one) => one.complete()))).toEqual(Array(10).fill(401));
    await server!.waitForClose();
  });

  it('stop the service with one message when the first worker cannot start', async () => {
    const port = String(await findFreePort());
    const occupant = await ServerProcess.start(folder.path, {
      DATABASE_URL: database.url,
      NODE_ENV: 'test',
      PORT: port,
    });
    const evaluation = await start({ PORT: port, WORKERS: '4' }).then(String, ({ message }: Error) => message);
    await occupant.stop();
    expect(evaluation).toMatch(/^The service ended with 1: /);
    expect(evaluation.match(/The service did not start\.\n.*EADDRINUSE/g)).toHaveLength(1);
  });

  it('do not affect the command line', async () => {
    const { stdout } = await runNode(['dist/src/cli.js', 'migrate', '--json'], {
      DATABASE_URL: database.url,
      NODE_ENV: 'test',
      WORKERS: '4',
      MASTER_SECRET: 'x'.repeat(16),
    });
    expect(JSON.parse(stdout)).toMatchObject({ applied: expect.any(Array) });
  });
});

/** Waits until this many requests have an outcome. */
function waitForSettled(all: Promise<unknown>[], count: number): Promise<void> {
  let open = count;
  return new Promise((resolve) => {
    for (const one of all) void one.then(() => --open === 0 && resolve());
  });
}

/** Returns the resident memory of a process, in KiB. */
async function readMemory(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')).match(/^Rss:\s+(\d+)/m)![1]);
}
