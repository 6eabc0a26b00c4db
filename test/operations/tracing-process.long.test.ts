import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { createDatabase, isPostgres, type TestDatabase } from '../support/database.js';
import { findFreePort } from '../support/free-port.js';
import { OtlpReceiver } from '../support/otlp-receiver.js';
import { ServerProcess } from '../support/server-process.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import { sendRequest } from '../support/test-server.js';
import { createTrace, findServerSpan } from '../support/traces.js';

describe('Tracing in a process', () => {
  let database: TestDatabase;
  let folder: TempFolder;

  beforeAll(async () => {
    [database, folder] = await Promise.all([createDatabase(), createTempFolder()]);
  });
  afterAll(async () => {
    await database.drop();
    await folder.remove();
  });

  const start = (environment: Record<string, string>): Promise<ServerProcess> =>
    ServerProcess.start(folder.path, {
      DATABASE_URL: database.url,
      NODE_ENV: 'test',
      DEMO_DATA: 'off',
      LOG_FORMAT: 'json',
      ...environment,
    });

  it('exports the last spans before the process ends', async () => {
    const receiver = await OtlpReceiver.start();
    const server = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '60000' });
    const { traceId, headers } = createTrace();
    await sendRequest(server.url, 'GET', '/sign-in', { headers });
    expect(await server.stop()).toBe(0);
    expect(receiver.spans.map((span) => span.traceId)).toContain(traceId);
    await receiver.stop();
  });

  it('continues without a receiver, and logs one line and a count', async () => {
    const server = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await findFreePort()}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '100', // too short for a retry
      OTEL_BSP_SCHEDULE_DELAY: '20',
    });
    const failures = /^.*"spans_not_exported".*$/gm;
    expect((await sendRequest(server.url, 'GET', '/sign-in')).status).toBe(200);
    await server.waitForOutput(failures);
    expect((await sendRequest(server.url, 'GET', '/sign-in')).status).toBe(200);
    expect(await server.stop()).toBe(0);
    const lines = server
      .output()
      .match(failures)!
      .map((line) => JSON.parse(line) as object);
    expect(lines).toEqual([
      expect.objectContaining({ level: 'warn', error_code: 'ECONNREFUSED' }),
      expect.objectContaining({ level: 'warn', count: expect.any(Number) }),
    ]);
  });

  it('loads no module of OpenTelemetry if it is off', async () => {
    const coverage = join(folder.path, 'coverage');
    const server = await start({ NODE_V8_COVERAGE: coverage }); // lists the loaded modules
    await sendRequest(server.url, 'GET', '/sign-in');
    await server.stop();
    const reports = await Promise.all((await readdir(coverage)).map((file) => readFile(join(coverage, file), 'utf8')));
    const packages = reports.join('').match(/(?<=\/node_modules\/)(@opentelemetry\/[\w-]+|prom-client)/g);
    // prom-client imports the API, which does nothing without the SDK
    expect([...new Set(packages)].sort()).toEqual(['@opentelemetry/api', 'prom-client']);
  });

  if (isPostgres) {
    it('exports the spans of each worker', async () => {
      const receiver = await OtlpReceiver.start();
      const server = await start({
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_BSP_SCHEDULE_DELAY: '20',
        WORKERS: '2',
      });
      await server.waitForOutput(/"event":"worker_ready"/g, 2);
      const pids = new Set<unknown>();
      while (pids.size < 2) {
        const { traceId, headers } = createTrace();
        const [response] = await once(get(`${server.url}/sign-in`, { headers, agent: false }), 'response');
        response.resume();
        pids.add(findServerSpan(await receiver.waitForTrace(traceId)).resource['process.pid']);
      }
      expect(pids).not.toContain(server.pid);
      await server.stop();
      await server.waitForClose();
      await receiver.stop();
    });
  }
});
