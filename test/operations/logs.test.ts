import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VERSION } from '../../src/platform/config/version.js';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { ServerCluster } from '../support/server-cluster.js';
import { createAccount, registerApp, issueTokens } from '../support/factories.js';
import { basicAuthorization } from '../support/token-endpoint.js';
import { sendRequest } from '../support/test-server.js';
import { BrowserClient } from '../support/browser-client.js';

/** An entry of the log. */
interface LogEntry {
  event: string;
  requestId?: string;
  stack?: string;
  count?: number;
  requestIds?: string[];
}

describe('Log', () => {
  let cluster: ServerCluster;

  beforeAll(async () => {
    cluster = await ServerCluster.start({
      environment: { LOG_FORMAT: 'json', LOG_LEVEL: 'debug', NODE_ENV: 'production', BUILD_COMMIT: '4f2a9c1' },
    });
  });
  afterAll(() => cluster.stop());

  /** Waits for the log entries of a request. */
  const waitForEntries = async (requestId: string): Promise<LogEntry[]> => {
    await cluster.serverProcess.waitForOutput(new RegExp(`"requestId":"${requestId}"`, 'g'));
    return parseLines(cluster.serverProcess.output()).filter((line) => line.requestId === requestId);
  };

  it('has one JSON line per request, with the request id of the response', async () => {
    const { headers } = await sendRequest(cluster.serverProcess.url, 'GET', '/api/oauth/jwks');
    const [line] = await waitForEntries(headers.get('x-request-id')!);
    expect(line).toEqual({
      timestamp: expect.any(Number),
      level: 'debug',
      event: 'request',
      message: 'A request was handled.',
      pid: cluster.serverProcess.pid,
      context: 'Http',
      method: 'GET',
      route: '/api/oauth/jwks',
      status: 200,
      duration_ms: expect.any(Number),
      requestId: headers.get('x-request-id'),
    });
  });

  it('names the version and the commit at the start', () => {
    const started = parseLines(cluster.serverProcess.output()).filter(({ event }) => event === 'server_started');
    expect(started).toEqual([expect.objectContaining({ version: VERSION, commit: '4f2a9c1' })]);
  });

  it('contains no secret of any request', async () => {
    const { testServer, serverProcess } = cluster;
    const [{ app, credentials }, account] = [await registerApp(testServer), await createAccount(testServer)];
    const { access_token, refresh_token } = await issueTokens(testServer, { app, account });
    const { client_secret } = credentials;
    const [password, code] = ['the password of a person', generateSecret('sam_code')];
    const secrets = [access_token, refresh_token, client_secret, password, code, generateSecret('sam_session')];
    const text = secrets.join(' ');
    const query = new URLSearchParams(secrets.map((secret, index) => [`value${index}`, secret])).toString();
    const basic = basicAuthorization(credentials).slice('Basic '.length);

    const requestIds: string[] = [];
    const send = async (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<void> => {
      const response = await sendRequest(serverProcess.url, method, path, {
        ...(body !== undefined && { body }),
        headers,
      });
      requestIds.push(response.headers.get('x-request-id')!);
    };
    for (const path of [
      '/api/oauth/token',
      '/api/oauth/revoke',
      '/api/oauth/userinfo',
      '/api/edits',
      '/sign-in',
      '/sign-up',
    ]) {
      const fields = {
        grant_type: 'refresh_token',
        token: refresh_token,
        refresh_token,
        code,
        password,
        ...credentials,
      };
      await send('POST', path, fields);
      await send('POST', path, { ...fields, [text]: text });
      await send('POST', path, `{"broken": "${text}`);
      await send('POST', path, new URLSearchParams(fields).toString(), {
        'Content-Type': 'application/x-www-form-urlencoded',
      });
      await send('POST', path, { grant_type: text, token: text, username: text }, { Authorization: `Basic ${basic}` });
      await send('POST', `${path}?${query}`, text, { 'Content-Type': 'text/plain', Cookie: `session=${text}` });
    }
    for (const path of [
      '/api/oauth/authorize',
      '/api/oauth/logout',
      '/api/markers',
      '/nowhere',
      `/api/edits/${encodeURIComponent(text)}`,
    ]) {
      await send('GET', `${path}?${query}&code=${code}&password=${encodeURIComponent(password)}`, undefined, {
        Authorization: `Bearer ${access_token}`,
        'Idempotency-Key': refresh_token,
      });
      await send('GET', path, undefined, {
        Authorization: `Bearer ${access_token}x`,
        Referer: `https://a.example/?${query}`,
      });
    }
    const browser = new BrowserClient(serverProcess);
    await browser.submitForm(await browser.get('/sign-in'), '/sign-in', { username: account.username, password });

    await waitForEntries(requestIds.at(-1)!);
    const output = serverProcess.output();
    for (const requestId of requestIds) expect(output).toContain(requestId);
    for (const secret of [...secrets, basic, 'correct horse'])
      expect({ secret, isLogged: output.includes(secret.slice(0, 30)) || output.includes(secret.slice(-30)) }).toEqual({
        secret,
        isLogged: false,
      });
  });

  it('warns once of a proxy while TRUST_PROXY is not set', async () => {
    const { url } = cluster.serverProcess;
    const listWarnings = (): LogEntry[] =>
      parseLines(cluster.serverProcess.output()).filter(({ event }) => event === 'setting_doubtful');
    const isOfProxy = expect.objectContaining({ message: expect.stringContaining('X-Forwarded-For') });
    expect(listWarnings()).not.toContainEqual(isOfProxy);
    for (let request = 0; request < 2; request++) {
      const { headers } = await sendRequest(url, 'GET', '/api/oauth/jwks', {
        headers: { 'X-Forwarded-For': '192.0.2.1' },
      });
      await waitForEntries(headers.get('x-request-id')!);
    }
    expect(listWarnings().filter((entry) => isOfProxy.asymmetricMatch(entry))).toHaveLength(1);
  });

  it('has one stack for many requests that fail for the same reason, and counts the others', async () => {
    const failing = await ServerCluster.start({ environment: { LOG_FORMAT: 'json', NODE_ENV: 'production' } });
    const { serverProcess, testServer } = failing;
    const { app } = await registerApp(testServer);
    const { access_token } = await issueTokens(testServer, {
      app,
      account: await createAccount(testServer),
    });
    await testServer.get(TransactionService).run((tx) => tx.query('ALTER TABLE edits RENAME TO edits_away'));
    const requestIds: string[] = [];
    for (let request = 0; request < 5; request++) {
      const { status, headers } = await sendRequest(serverProcess.url, 'GET', '/api/edits/mine', {
        headers: { Authorization: `Bearer ${access_token}` },
      });
      expect(status).toBe(500);
      requestIds.push(headers.get('x-request-id')!);
    }
    await failing.stop();
    const entries = parseLines(serverProcess.output()).filter(({ event }) => event === 'unhandled_error');
    expect(entries).toEqual([
      expect.objectContaining({ requestId: requestIds[0], stack: expect.stringContaining('edits') }),
      expect.objectContaining({ count: 4, requestIds: requestIds.slice(1) }),
    ]);
    expect(entries[1]).not.toHaveProperty('stack');
    expect(serverProcess.output()).toMatch(/"event":"server_stopping".*"signal":"SIGINT"/);
  });
});

/** Parses the output of a process: every line is a log entry. */
function parseLines(output: string): LogEntry[] {
  return output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LogEntry);
}
