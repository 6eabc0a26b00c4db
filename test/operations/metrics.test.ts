import { afterEach, describe, expect, it } from '@jest/globals';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
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
  /** Returns the value of a sample. */
  const readValue = (text: string, line: string): number => {
    const sample = text.split('\n').find((one) => one.startsWith(`${line} `));
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
    expect(readValue(text, 'street_art_transactions')).toBe(0);
    if (isPostgres)
      expect(readValue(text, 'street_art_database_connections{pool="shared",state="idle"}')).toBeGreaterThan(0);
    expect(text).toContain(
      'http_request_duration_seconds_count{method="POST",route="/api/oauth/token",status="200"} 2',
    );
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toContain(refresh_token);
  });

  it('are served on their own port only', async () => {
    await start();
    expect((await fetch(`${cluster.serverProcess.url}/metrics`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/api/edits/mine`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST' })).status).toBe(405);
  });

  if (isPostgres) {
    it('are the sum of all workers', async () => {
      await start({ WORKERS: '2' });
      await cluster.serverProcess.waitForOutput(/worker_ready/g, 2);
      for (let count = 0; count < 10; count++) await sendRequest(cluster.serverProcess.url, 'GET', '/health/live');
      const text = await read();
      expect(
        readValue(text, 'http_request_duration_seconds_count{method="GET",route="/health/live",status="200"}'),
      ).toBe(10);
    });
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
    const { values } = await server.get(MetricsService).tokenRequestDuration.get();
    const errors = values.filter(({ metricName }) => metricName?.endsWith('_count')).map(({ labels }) => labels.error);
    expect(errors).toEqual(['disconnected']);
    await server.stop();
  });
});
