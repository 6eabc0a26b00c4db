import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { isPostgres } from '../support/database.js';
import { createAccount, issueTokens, registerApp } from '../support/factories.js';
import { OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver.js';
import { CALLER_SPAN_ID, createTrace, findServerSpan, findStatements } from '../support/traces.js';
import { RawConnection } from '../support/raw-connection.js';
import { ServerCluster } from '../support/server-cluster.js';
import { basicAuthorization, refreshTokens } from '../support/token-endpoint.js';
import { type RequestOptions, sendRequest, type TestResponse } from '../support/test-server.js';

describe('Tracing', () => {
  let receiver: OtlpReceiver;
  let cluster: ServerCluster;
  let client: Awaited<ReturnType<typeof registerApp>>;
  let token: string;

  beforeAll(async () => {
    receiver = await OtlpReceiver.start();
    cluster = await ServerCluster.start({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=receiver',
        OTEL_SERVICE_NAME: 'map-of-the-tests',
        OTEL_BSP_SCHEDULE_DELAY: '20',
        ACCESS_LOG: 'on',
        LOG_FORMAT: 'json',
        LOG_LEVEL: 'debug',
        NODE_ENV: 'production',
      },
    });
    client = await registerApp(cluster.testServer);
    const account = await createAccount(cluster.testServer);
    token = (await issueTokens(cluster.testServer, { app: client.app, account })).access_token;
  });
  afterAll(async () => {
    await cluster.stop();
    await receiver.stop();
  });

  const send = (method: string, path: string, options?: RequestOptions): Promise<TestResponse> =>
    sendRequest(cluster.serverProcess.url, method, path, options);
  /** Sends a request in a new trace, and returns the spans of the trace. */
  const trace = async (method: string, path: string, options: RequestOptions = {}): Promise<ReceivedSpan[]> => {
    const { traceId, headers } = createTrace();
    await send(method, path, { token, ...options, headers: { ...headers, ...options.headers } });
    return receiver.waitForTrace(traceId);
  };
  /** Returns the trace id in the access log line of a request. */
  const readTraceId = async ({ headers }: TestResponse): Promise<string> => {
    const line = new RegExp(`"request_id":"${headers.get('x-request-id')}","traceId":"([0-9a-f]{32})"`, 'g');
    const [[, traceId]] = (await cluster.serverProcess.waitForOutput(line)) as [RegExpMatchArray];
    return traceId!;
  };

  it('records a span for each request, with the names of the semantic conventions', async () => {
    const path = '/api/markers/mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV';
    const span = findServerSpan(await trace('GET', `${path}?fields=id`));
    expect(span).toMatchObject({
      parentSpanId: CALLER_SPAN_ID,
      name: 'GET /api/markers/:id',
      statusCode: 0,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/markers/:id',
        'http.response.status_code': 404,
        'url.path': path,
        'url.scheme': 'http',
      },
      resource: {
        'service.name': 'map-of-the-tests',
        'process.pid': cluster.serverProcess.pid,
      },
    });
    expect(receiver.requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-api-key': 'receiver' } });
  });

  it('names a request to an unknown path by its method', async () => {
    const span = findServerSpan(await trace('GET', '/nowhere'));
    expect(span.name).toBe('GET');
    expect(span.attributes).not.toHaveProperty('http.route');
  });

  it('records a span for each database statement of a request', async () => {
    const spans = await trace('GET', '/api/edits/mine');
    const statements = findStatements(spans);
    expect(statements.map(({ name }) => name)).toContain('SELECT edits');
    for (const { name, parentSpanId, attributes } of statements) {
      expect(parentSpanId).toBe(findServerSpan(spans).spanId);
      expect(attributes['db.query.summary']).toBe(name);
      expect(attributes['db.system.name']).toBe(isPostgres ? 'postgresql' : 'sqlite');
    }
  });

  it('ignores an invalid traceparent, and starts a trace', async () => {
    for (const traceparent of [
      'nonsense',
      `00-${'0'.repeat(32)}-${CALLER_SPAN_ID}-01`,
      `ff-${'1'.repeat(32)}-${CALLER_SPAN_ID}-01`,
    ]) {
      const traceId = await readTraceId(await send('GET', '/sign-in', { headers: { traceparent } }));
      expect(traceparent).not.toContain(traceId);
      expect(findServerSpan(await receiver.waitForTrace(traceId)).parentSpanId).toBe('');
    }
  });

  it('exports no span of a trace that the caller does not sample, and logs its id', async () => {
    const { traceId, headers } = createTrace('00');
    expect(await readTraceId(await send('GET', '/api/edits/mine', { token, headers }))).toBe(traceId);
    await trace('GET', '/sign-in'); // the next span
    expect(receiver.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });

  it('is in every log line of a request', async () => {
    const { traceId, headers } = createTrace();
    const response = await send('GET', '/api/edits/mine', { token, headers });
    const line = `"requestId":"${response.headers.get('x-request-id')}","traceId":"${traceId}"`;
    await cluster.serverProcess.waitForOutput(new RegExp(line, 'g'));
  });

  it('marks the span of a client that disconnects before the response', async () => {
    const { traceId, headers } = createTrace();
    const connection = await RawConnection.open(cluster.serverProcess.url);
    const head = `Host: x\r\nExpect: 100-continue\r\ntraceparent: ${headers.traceparent}`;
    connection.write(
      `POST /api/oauth/token HTTP/1.1\r\n${head}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`,
    );
    await connection.waitForData(/100 Continue/);
    connection.destroy();
    const { attributes } = findServerSpan(await receiver.waitForTrace(traceId));
    expect(attributes['error.type']).toBe('client_disconnected');
    expect(attributes).not.toHaveProperty('http.response.status_code');
  });

  it('links a request that shares its statements to the trace that contains them', async () => {
    const account = await createAccount(cluster.testServer);
    const issue = () => issueTokens(cluster.testServer, { app: client.app, account });
    let refreshed = (await Promise.all(Array.from({ length: 20 }, issue))).map(({ refresh_token }) => refresh_token);
    for (let linkCount = 0; linkCount === 0;) {
      const traces = refreshed.map(() => createTrace());
      const responses = await Promise.all(
        refreshed.map((refreshToken, index) =>
          refreshTokens(cluster.serverProcess, client, refreshToken, {}, traces[index]!.headers),
        ),
      );
      refreshed = responses.map(({ body }) => body.refresh_token as string);
      for (const { traceId } of traces) {
        const spans = await receiver.waitForTrace(traceId);
        const { links } = findServerSpan(spans);
        linkCount += links.length;
        const places = [spans, ...(await Promise.all(links.map((link) => receiver.waitForTrace(link))))];
        const names = places.flatMap(findStatements).map(({ name }) => name);
        expect(names).toEqual(expect.arrayContaining([expect.stringContaining('UPDATE refresh_tokens')]));
      }
    }
  });

  it('contains no secret, query string, cookie or SQL parameter of any request', async () => {
    const account = await createAccount(cluster.testServer);
    const { refresh_token } = await issueTokens(cluster.testServer, { app: client.app, account });
    const { client_secret } = client.credentials;
    const [code, session, state] = [generateSecret('sam_code'), generateSecret('sam_session'), 'state-of-the-app'];
    const password = 'the-password-of-a-person';
    const fields = { ...client.credentials, token: refresh_token, refresh_token, code, password, state };
    const query = new URLSearchParams({ ...fields, q: 'text-of-a-search' }).toString();
    const headers = { Cookie: `session=${session}`, Authorization: basicAuthorization(client.credentials) };
    for (const path of ['/api/oauth/token', '/api/oauth/revoke', '/sign-in', '/sign-up', '/api/edits']) {
      await trace('POST', path, { body: { ...fields, grant_type: 'refresh_token', username: account.username } });
      await trace('POST', `${path}?${query}`, { body: fields, headers });
    }
    for (const path of ['/api/oauth/authorize', '/api/markers', '/nowhere', `/${refresh_token}/${token}/${code}`])
      await trace('GET', `${path}?${query}`, { headers });
    await trace('GET', '/api/oauth/userinfo');

    expect(receiver.text).toContain('SELECT accounts');
    const secrets = [token, refresh_token, client_secret, code, session, state, password, 'text-of-a-search'];
    const parameters = [account.id, account.username, account.normalizedEmail];
    for (const secret of [...secrets, ...parameters])
      expect({ secret, isExported: receiver.text.includes(secret.slice(-30)) }).toEqual({ secret, isExported: false });
  });

  it('marks the spans of a failure with the code of the error, without its message', async () => {
    const { testServer } = cluster;
    const rename = (from: string, to: string): Promise<unknown> =>
      testServer.get(TransactionService).run((tx) => tx.query(`ALTER TABLE ${from} RENAME TO ${to}`));
    await rename('edits', 'edits_away');
    const spans = await trace('GET', '/api/edits/mine');
    await rename('edits_away', 'edits');
    const code = isPostgres ? '42P01' : 'SQLITE_ERROR';
    expect(findServerSpan(spans)).toMatchObject({
      statusCode: 2,
      attributes: { 'http.response.status_code': 500, 'error.type': '500' },
    });
    const failed = findStatements(spans).filter(({ statusCode }) => statusCode === 2);
    for (const { attributes } of failed) expect(attributes).toMatchObject({ 'error.type': code });
    if (isPostgres) expect(failed).not.toEqual([]); // SQLite fails before the statement runs
    expect(spans.map(({ eventCount }) => eventCount)).toEqual(spans.map(() => 0));
  });
});
