import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { findFreePort } from '../support/free-port.js';
import { PausingLoad } from '../support/pausing-load.js';
import { type ProxyFile, ReverseProxy } from '../support/reverse-proxy.js';
import { ServerProcess } from '../support/server-process.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';

const CLIENT_COUNT = 200;

/** Processes, of which most restart at the same time while the others respond. */
const PROCESS_COUNT = 8;
const RESTARTING_COUNT = 6;

describe.each<[ProxyFile, restartCount: number]>([
  ['deploy/nginx.conf', 100],
  ['deploy/haproxy-http.cfg', 20],
])('A proxy with %s', (file, restartCount) => {
  let folder: TempFolder;
  let proxy: ReverseProxy;
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
    proxy = await ReverseProxy.start(folder.path, file, port, upstream);
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    await proxy.stop();
    await Promise.all(processes.splice(0).map((process) => process.stop('SIGINT')));
    await folder.remove();
  });

  it(`returns only responses of the service during ${restartCount} restarts of its processes`, async () => {
    const load = new PausingLoad(url, CLIENT_COUNT);
    for (let restarts = 0; restarts < restartCount; restarts += RESTARTING_COUNT) {
      const stopping = processes.splice(0, Math.min(RESTARTING_COUNT, restartCount - restarts));
      const ports = stopping.map((process) => Number(new URL(process.url).port));
      await Promise.all(ports.map((port) => proxy.drain(port)));
      // No process starts meanwhile: it would take the CPU from those that close their listeners.
      const exitCodes = await Promise.all(stopping.map((process) => process.stop('SIGTERM')));
      expect(new Set(exitCodes)).toEqual(new Set([0]));
      await Promise.all(ports.map(startProcess));
      await Promise.all(ports.map((port) => proxy.resume(port)));
    }
    await load.stop();
    expect([...load.outcomes.keys()].sort()).toEqual(['GET 200', 'POST 401 invalid_client']);
  }, 900_000);
});
