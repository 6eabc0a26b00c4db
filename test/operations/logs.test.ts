import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { ServerCluster } from '../support/server-cluster.js';
import { createAccount, registerApp, issueTokens } from '../support/factories.js';
import { basicAuthorization } from '../support/token-endpoint.js';
import { sendRequest } from '../support/test-server.js';
import { BrowserClient } from '../support/browser-client.js';

/** An entry of the log. */
interface LogEntry {
  level: string;
  message: string;
  requestId?: string;
}

describe('Log', () => {
  let cluster: ServerCluster;

  beforeAll(async () => {
    cluster = await ServerCluster.start({
      environment: { LOG_FORMAT: 'json', LOG_LEVEL: 'debug', NODE_ENV: 'production' },
    });
  });
  afterAll(() => cluster.stop());

  /** Waits for the log entries of a request. */
  const waitForEntries = async (requestId: string): Promise<LogEntry[]> => {
    await cluster.serverProcess.waitForOutput(new RegExp(`"requestId":"${requestId}"`, 'g'));
    return lines().filter((line) => line.requestId === requestId);
  };
  const lines = (): LogEntry[] =>
    cluster.serverProcess
      .output()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as LogEntry);

  it('has one JSON line per request, with the request id of the response', async () => {
    const { headers } = await sendRequest(cluster.serverProcess.url, 'GET', '/api/oauth/jwks');
    const [line] = await waitForEntries(headers.get('x-request-id')!);
    expect(line).toMatchObject({
      level: 'debug',
      message: expect.stringMatching(/^GET \/api\/oauth\/jwks 200 [\d.]+ ms$/),
    });
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
});
