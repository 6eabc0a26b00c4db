import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccount, issueTokens, registerApp } from '../support/factories.js';
import { RawConnection } from '../support/raw-connection.js';
import { ServerCluster } from '../support/server-cluster.js';
import { type RequestOptions, sendRequest, type TestResponse } from '../support/test-server.js';

const ADDRESS = '192.0.2.7';

describe('Access log', () => {
  let cluster: ServerCluster;
  let client: Awaited<ReturnType<typeof registerApp>>;

  beforeAll(async () => {
    const environment = { ACCESS_LOG: 'on', LOG_LEVEL: 'error', LOG_FORMAT: 'pretty', TRUST_PROXY: 'loopback' };
    cluster = await ServerCluster.start({ environment });
    client = await registerApp(cluster.testServer);
  });
  afterAll(() => cluster.stop());

  const send = (method: string, path: string, options: RequestOptions = {}): Promise<TestResponse> =>
    sendRequest(cluster.serverProcess.url, method, path, {
      ...options,
      headers: { 'X-Forwarded-For': ADDRESS, ...options.headers },
    });
  const waitForLine = async (requestId: string): Promise<Record<string, unknown>> => {
    const [[line]] = (await cluster.serverProcess.waitForOutput(
      new RegExp(`^.*"request_id":"${requestId}".*$`, 'gm'),
    )) as [RegExpMatchArray];
    return JSON.parse(line) as Record<string, unknown>;
  };
  const sendAndReadLine = async (...request: Parameters<typeof send>): Promise<Record<string, unknown>> => {
    const { headers } = await send(...request);
    return waitForLine(headers.get('x-request-id')!);
  };

  it('has one JSON line for a guarded request, for each LOG_LEVEL and LOG_FORMAT', async () => {
    const { access_token: token } = await issueTokens(cluster.testServer, {
      app: client.app,
      account: await createAccount(cluster.testServer),
    });
    const { status, headers } = await send('GET', '/api/markers/mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV?fields=id', { token });
    expect(status).toBe(404);
    expect(await waitForLine(headers.get('x-request-id')!)).toEqual({
      timestamp: expect.any(Number),
      level: 'info',
      event: 'access',
      pid: cluster.serverProcess.pid,
      method: 'GET',
      route: '/api/markers/:id',
      status: 404,
      duration_ms: expect.any(Number),
      client_id: client.app.id,
      address: ADDRESS,
      request_id: headers.get('x-request-id'),
    });
  });

  it('names the app that the client authentication names, even if its secret is wrong', async () => {
    const { client_id, client_secret } = client.credentials;
    for (const secret of [client_secret, 'wrong']) {
      const body = { client_id, client_secret: secret, token: 'sam_refresh_unknown' };
      expect(await sendAndReadLine('POST', '/api/oauth/revoke', { body })).toMatchObject({
        route: '/api/oauth/revoke',
        status: secret === 'wrong' ? 401 : 200,
        client_id,
      });
    }
  });

  it('names no app for an unknown client, an invalid token and a page', async () => {
    const body = { client_id: 'app_01ARZ3NDEKTSV4RRFFQ69G5FAV', client_secret: 'wrong', token: 'unknown' };
    expect(await sendAndReadLine('POST', '/api/oauth/revoke', { body })).toMatchObject({
      status: 401,
      client_id: null,
    });
    expect(await sendAndReadLine('GET', '/api/markers', { token: 'x' })).toMatchObject({
      status: 401,
      client_id: null,
    });
    expect(await sendAndReadLine('GET', '/sign-in')).toMatchObject({ status: 200, client_id: null });
  });

  it('has the route none for an unknown path, and no path', async () => {
    expect(await sendAndReadLine('GET', '/nowhere-to-be-found')).toMatchObject({ route: 'none', status: 404 });
    expect(cluster.serverProcess.output()).not.toContain('nowhere-to-be-found');
  });

  it('has the address null if the proxy sends no IP address', async () => {
    expect(await sendAndReadLine('GET', '/sign-in', { headers: { 'X-Forwarded-For': 'unknown' } })).toMatchObject({
      address: null,
    });
  });

  it('has the status 499 and the address of a client that disconnects before the response', async () => {
    const connection = await RawConnection.open(cluster.serverProcess.url);
    const head = `Host: x\r\nX-Forwarded-For: ${ADDRESS}\r\nX-Request-Id: left-early\r\nExpect: 100-continue`;
    connection.write(
      `POST /api/oauth/token HTTP/1.1\r\n${head}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`,
    );
    await connection.waitForData(/100 Continue/);
    connection.destroy();
    expect(await waitForLine('left-early')).toMatchObject({ route: '/api/oauth/token', status: 499, address: ADDRESS });
  });

  it('is off by default', async () => {
    const quiet = await ServerCluster.start();
    await sendRequest(quiet.serverProcess.url, 'GET', '/sign-in');
    await quiet.stop();
    expect(quiet.serverProcess.output()).not.toContain('request_id');
  });
});
