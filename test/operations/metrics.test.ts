import { afterEach, describe, expect, it } from '@jest/globals';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import type { Histogram } from 'prom-client';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { VERSION } from '../../src/platform/config/version.js';
import { MetricsService } from '../../src/platform/metrics/metrics.service.js';
import { ServerCluster } from '../support/server-cluster.js';
import { isPostgres } from '../support/database.js';
import { createAccount, registerApp, issueTokens } from '../support/factories.js';
import { refreshTokens } from '../support/token-endpoint.js';
import { findFreePort } from '../support/free-port.js';
import { type TestResponse, TestServer, sendRequest } from '../support/test-server.js';

describe('Metrics', () => {
  let cluster: ServerCluster;
  let port: string;

  afterEach(() => cluster.stop());

  const start = async (environment: Record<string, string> = {}): Promise<void> => {
    port = String(await findFreePort());
    cluster = await ServerCluster.start({ environment: { METRICS_PORT: port, ...environment } });
  };
  const read = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  /** Returns the samples of a worker, without its label. */
  const selectWorker = (text: string, worker: number): string[] => {
    const label = `worker="${worker}"`;
    const removeLabel = (sample: string): string =>
      sample.replace(`{${label}}`, '').replace(`${label},`, '').replace(`,${label}`, '');
    return text
      .split('\n')
      .filter((sample) => sample.includes(label))
      .map(removeLabel);
  };
  /** Returns the value of a sample. */
  const readValue = (text: string, line: string, worker = 1): number => {
    const sample = selectWorker(text, worker).find((one) => one.startsWith(`${line} `));
    expect({ line, sample }).toEqual({ line, sample: expect.any(String) });
    return Number(sample!.split(' ').at(-1));
  };
  const post = (path: string, body: object, token?: string): Promise<TestResponse> =>
    sendRequest(cluster.serverProcess.url, 'POST', path, { body, ...(token && { token }) });

  it('count token requests by grant and error, missing scopes, and lost responses', async () => {
    await start();
    const { testServer, serverProcess } = cluster;
    const [{ app, credentials }, account] = [await registerApp(testServer), await createAccount(testServer)];
    const { refresh_token } = await issueTokens(testServer, { app, account });
    const narrow = (await issueTokens(testServer, { app, account, scopes: ['markers:read'] })).access_token;
    const refresh = (token: string, fields: Record<string, unknown> = {}): Promise<TestResponse> =>
      refreshTokens(serverProcess, { credentials }, token, fields);

    const first = await refresh(refresh_token);
    await refresh(refresh_token); // as after a lost response
    await refresh(first.body.refresh_token as string);
    await refresh(refresh_token);
    await refresh('any', { client_secret: generateSecret('sam_secret') });
    await refresh('any', { grant_type: 'password' });
    await post('/api/oauth/revoke', { token: 'any', ...credentials });
    await post('/api/edits', {}, narrow);

    const text = await read();
    const counted = (labels: string): number =>
      readValue(text, `street_art_token_request_duration_seconds_count{${labels}}`);
    expect(counted('endpoint="token",grant="refresh_token",error="none"')).toBe(2);
    expect(counted('endpoint="token",grant="refresh_token",error="invalid_grant"')).toBe(2);
    expect(counted('endpoint="token",grant="refresh_token",error="invalid_client"')).toBe(1);
    expect(counted('endpoint="token",grant="none",error="unsupported_grant_type"')).toBe(1);
    expect(counted('endpoint="revoke",grant="none",error="none"')).toBe(1);
    expect(readValue(text, 'street_art_missing_scope_total{scope="edits:write"}')).toBe(1);
    expect(readValue(text, 'street_art_lost_responses_total')).toBe(1);
    expect(readValue(text, 'street_art_refresh_token_reuses_total')).toBe(1);
    expect(readValue(text, 'street_art_batch_size_count{batch="refreshes"}')).toBe(2);
    expect(readValue(text, 'street_art_batch_size_count{batch="app_lookups"}')).toBe(7);
    expect(readValue(text, 'street_art_expired_rows')).toBe(0);
    // Tasks in the background can have one at any time.
    while (readValue(await read(), 'street_art_transactions') > 0) continue;
    if (isPostgres)
      expect(readValue(text, 'street_art_database_connections{pool="shared",state="idle"}')).toBeGreaterThan(0);
    expect(
      readValue(text, 'http_request_duration_seconds_count{method="POST",route="/api/oauth/token",status="200"}'),
    ).toBe(2);
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toContain(refresh_token);
  });

  it('name the version and the commit of the build', async () => {
    await start({ BUILD_COMMIT: '4f2a9c1' });
    expect(readValue(await read(), `app_build_info{version="${VERSION}",commit="4f2a9c1"}`)).toBe(1);
  });

  it('are served on their own port only', async () => {
    await start();
    expect((await fetch(`${cluster.serverProcess.url}/metrics`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/api/edits/mine`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(405);
  });

  if (isPostgres) {
    const startWorkers = async (): Promise<number[]> => {
      await start({ WORKERS: '2' });
      const ready = await cluster.serverProcess.waitForOutput(/worker_ready.*"worker_pid":(\d+)/g, 2);
      return ready.map(([, pid]) => Number(pid));
    };

    it('have the number of the worker as a label', async () => {
      await startWorkers();
      for (let count = 0; count < 10; count++) await sendRequest(cluster.serverProcess.url, 'GET', '/health/live');
      const text = await read();
      const line = 'http_request_duration_seconds_count{method="GET",route="/health/live",status="200"}';
      const counts = [1, 2].map((worker) => readValue(text, line, worker));
      expect(counts[0]! + counts[1]!).toBe(10);
      expect(text.match(/^# TYPE process_cpu_seconds_total /gm)).toHaveLength(1);
      for (const worker of [0, 1, 2]) expect(readValue(text, 'process_cpu_seconds_total', worker)).toBeGreaterThan(0);
    });

    it('show the workers that respond, while a worker hangs and after it was replaced', async () => {
      const [first] = await startWorkers();
      const readWorkers = async (): Promise<object> => {
        const text = await read();
        const responding = [1, 2].filter((worker) =>
          selectWorker(text, worker).join().includes('street_art_transactions'),
        );
        const up = [1, 2].map((worker) => readValue(text, 'street_art_worker_up', worker));
        return { responding, up, replaced: readValue(text, 'street_art_worker_replacements_total{reason="hung"}') };
      };
      expect(await readWorkers()).toEqual({ responding: [1, 2], up: [1, 1], replaced: 0 });
      process.kill(first!, 'SIGSTOP');
      expect(await readWorkers()).toEqual({ responding: [2], up: [0, 1], replaced: 0 });
      await cluster.serverProcess.waitForOutput(/worker_exited/g);
      expect(await readWorkers()).toEqual({ responding: [2], up: [0, 1], replaced: 1 });
      await cluster.serverProcess.waitForOutput(/worker_ready/g, 3);
      expect(await readWorkers()).toEqual({ responding: [1, 2], up: [1, 1], replaced: 1 });
    }, 300_000);
  }
});

describe('The time of a token request', () => {
  it('is recorded as disconnected when its client leaves before the response', async () => {
    const server = await TestServer.start();
    const { app, credentials } = await registerApp(server);
    const { refresh_token } = await issueTokens(server, { app, account: await createAccount(server) });
    const httpServer = server.get(HttpAdapterHost).httpAdapter.getHttpServer() as Server;
    const abort = new AbortController();
    const closed = new Promise<void>((resolve) => {
      httpServer.once('request', (request, response) => {
        request.once('end', () => abort.abort());
        response.once('close', () => setImmediate(resolve));
      });
    });
    await server.get(TransactionService).run(async (tx) => {
      await tx.query('UPDATE refresh_tokens SET authorization_id = authorization_id');
      const body = JSON.stringify({ grant_type: 'refresh_token', refresh_token, ...credentials });
      const headers = { 'Content-Type': 'application/json' };
      const request = { method: 'POST', headers, body, signal: abort.signal };
      await expect(fetch(`${server.url}/api/oauth/token`, request)).rejects.toThrow('aborted');
      await closed;
    });
    const { registry } = server.get(MetricsService);
    const metric = registry.getSingleMetric('street_art_token_request_duration_seconds') as Histogram<'error'>;
    const { values } = await metric.get();
    const errors = values.filter(({ metricName }) => metricName?.endsWith('_count')).map(({ labels }) => labels.error);
    expect(errors).toEqual(['disconnected']);
    await server.stop();
  });
});
