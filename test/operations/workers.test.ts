import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabase, isPostgres, type TestDatabase } from '../support/database.js';
import { PartialRequest, sendProbe, ContinuousLoad, tryConnect } from '../support/http-load.js';
import { runNode, findFreePort, createTempFolder, ServerProcess } from '../support/server-process.js';

describe('WORKERS', () => {
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
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
    server = await ServerProcess.start(folder.path, { DATABASE_URL: database.url, WORKERS: '2', ...environment });
    return server;
  };

  if (!isPostgres) {
    it('of more than one are refused on SQLite, and the reason is said', async () => {
      await expect(start()).rejects.toThrow(
        /The service did not start\.\nWORKERS takes 1 on SQLite: a file has one writer at a time.*use PostgreSQL\.\n$/,
      );
    });

    it('of one is no more than the service by itself', async () => {
      const { output } = await start({ WORKERS: '1' });
      expect(output()).toMatch(/^The street art map listens at/);
    });
    return;
  }

  /** Starts, and waits until every worker answers. @returns their process ids */
  const startAll = async (workers = 2): Promise<number[]> => {
    await start({ WORKERS: String(workers) });
    return answering(workers);
  };
  /** Waits until so many workers have said that they answer, those that have ended among them. @returns their process ids */
  const answering = async (workers: number): Promise<number[]> => {
    const said = await server!.waitForOutput(/Process (\d+) answers requests/g, workers);
    return said.map(([, pid]) => Number(pid));
  };
  const knocks = (count: number): Promise<number | string>[] =>
    Array.from({ length: count }, () => sendProbe(server!.url));
  /** Until no more connections are taken. One that was taken last may not be answered, so no answer is waited for. */
  const untilRefused = async (): Promise<void> => {
    while ((await tryConnect(server!.url)) !== 'ECONNREFUSED');
  };

  it('answer requests, each of them', async () => {
    for (const held of await startAll()) {
      process.kill(held, 'SIGSTOP');
      const asked = knocks(10);
      await waitForSettled(asked, 9); // one may have been handed to the worker that is held
      process.kill(held, 'SIGCONT');
      expect(await Promise.all(asked)).toEqual(Array(10).fill(200));
    }
  });

  it('greet once, and load one demo', async () => {
    await startAll(3);
    expect(server!.output().match(/listens at/g)).toHaveLength(1);
    expect(server!.output().match(/holds a demo/g)).toHaveLength(1);
  });

  it('finish what they have begun when the service is told to stop, and it ends well', async () => {
    await startAll(3);
    const begun = await Promise.all(Array.from({ length: 30 }, () => PartialRequest.open(server!.url)));
    pressing = new ContinuousLoad(server!.url, 4);
    const stopped = server!.stop('SIGTERM');
    await untilRefused();
    const answers = await Promise.all(begun.map((one) => one.complete()));
    expect(answers).toEqual(Array(30).fill(401));
    expect(await stopped).toBe(0);
    await pressing.stop();
    await server!.waitForClose();
  });

  it('end well when all of them are told at once, as by Ctrl-C in a terminal', async () => {
    const workers = await startAll();
    const begun = await Promise.all(Array.from({ length: 10 }, () => PartialRequest.open(server!.url)));
    for (const pid of workers) process.kill(pid, 'SIGINT');
    const stopped = server!.stop('SIGINT');
    await untilRefused();
    expect(await Promise.all(begun.map((one) => one.complete()))).toEqual(Array(10).fill(401));
    expect(await stopped).toBe(0);
    expect(server!.output()).not.toMatch(/Another starts/);
  });

  it('are replaced when they die, and the others answer meanwhile', async () => {
    const [killed] = await startAll();
    const callers = 8;
    pressing = new ContinuousLoad(server!.url, callers);
    process.kill(killed!, 'SIGKILL');
    const [, , replacement] = await answering(3);
    expect(server!.output()).toContain(`Process ${killed} ended: SIGKILL.`);
    await pressing.stop();
    const failed = pressing.outcomes.filter((outcome) => outcome !== 200);
    // Of each caller at most the one request that the killed worker had in hand.
    expect(failed.length).toBeLessThanOrEqual(callers);
    expect(pressing.outcomes.length).toBeGreaterThan(callers);
    process.kill(replacement!, 0);
    expect(await Promise.all(knocks(20))).toEqual(Array(20).fill(200));
  });

  it('finish what they have begun and end when the process that started them is killed', async () => {
    await startAll();
    const begun = await Promise.all(Array.from({ length: 10 }, () => PartialRequest.open(server!.url)));
    await server!.stop('SIGKILL');
    await untilRefused();
    expect(await Promise.all(begun.map((one) => one.complete()))).toEqual(Array(10).fill(401));
    await server!.waitForClose();
  });

  it('stop the service where the first of them cannot start, and say so once', async () => {
    const port = String(await findFreePort());
    const taken = await ServerProcess.start(folder.path, { DATABASE_URL: database.url, PORT: port });
    const said = await start({ PORT: port, WORKERS: '4' }).then(String, ({ message }: Error) => message);
    await taken.stop();
    expect(said).toMatch(/^The service ended with 1: /);
    expect(said.match(/The service did not start\.\n.*EADDRINUSE/g)).toHaveLength(1);
  });

  it('leave the command line as it is', async () => {
    const { stdout } = await runNode(['dist/src/cli.js', 'migrate', '--json'], {
      DATABASE_URL: database.url,
      WORKERS: '4',
      MASTER_SECRET: 'x'.repeat(16),
    });
    expect(JSON.parse(stdout)).toMatchObject({ applied: expect.any(Array) });
  });
});

/** Waits until so many have an outcome. */
function waitForSettled(all: Promise<unknown>[], count: number): Promise<void> {
  let open = count;
  return new Promise((resolve) => {
    for (const one of all) void one.then(() => --open === 0 && resolve());
  });
}
