import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { ToolProcess } from '../support/deploy-tools.js';
import { findFreePort } from '../support/free-port.js';
import { writeNginxConfig } from '../support/nginx-config.js';
import { PausingLoad } from '../support/pausing-load.js';
import { ServerProcess } from '../support/server-process.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';

const RESTART_COUNT = 100;
const CLIENT_COUNT = 200;

/** Processes, so that restarts of most of them overlap while the others respond. */
const PROCESS_COUNT = 8;
const MAX_RESTARTING = 6;

describe('nginx with deploy/nginx.conf, before processes that restart', () => {
  let folder: TempFolder;
  let nginx: ToolProcess;
  let url: string;
  /** The running processes. The first one has run for the longest time. */
  const processes: ServerProcess[] = [];

  /** Starts a process on its own database, so that no process waits for the lock of another one. */
  const startProcess = async (port: number): Promise<void> => {
    const databaseUrl = `sqlite:${join(folder.path, `${port}.sqlite`)}`;
    processes.push(await ServerProcess.startOn(databaseUrl, [], { PORT: String(port) }));
  };

  beforeAll(async () => {
    folder = await createTempFolder();
    const upstream = await Promise.all(Array.from({ length: PROCESS_COUNT }, findFreePort));
    await Promise.all(upstream.map(startProcess));
    const port = await findFreePort();
    const options = await writeNginxConfig(folder.path, 'deploy/nginx.conf', { http: port, tls: port, upstream });
    nginx = await ToolProcess.start(port, 'nginx', ...options);
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    await nginx.stop();
    await Promise.all(processes.map((process) => process.stop('SIGINT')));
    await folder.remove();
  });

  it(`returns only responses of the service during ${RESTART_COUNT} restarts`, async () => {
    const load = new PausingLoad(url, CLIENT_COUNT);
    let restarts = 0;
    const restartProcesses = async (): Promise<void> => {
      while (restarts++ < RESTART_COUNT) {
        const process = processes.shift()!;
        expect(await process.stop('SIGTERM')).toBe(0);
        await startProcess(Number(new URL(process.url).port));
      }
    };
    await Promise.all(Array.from({ length: MAX_RESTARTING }, restartProcesses));
    await load.stop();
    expect([...load.outcomes.keys()].sort()).toEqual(['GET 200', 'POST 401 invalid_client']);
  }, 300_000);
});
