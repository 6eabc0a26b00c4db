import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { ServerPair } from '../support/server-pair.js';
import { createAccount, registerApp, issueTokens } from '../support/factories.js';
import { sendRequest } from '../support/test-server.js';
import { BrowserClient } from '../support/browser-client.js';

/** A line of the log. */
interface LogEntry {
  level: string;
  message: string;
  requestId?: string;
}

describe('The log', () => {
  let beside: ServerPair;

  beforeAll(async () => {
    beside = await ServerPair.start({ LOG_FORMAT: 'json', LOG_LEVEL: 'debug', NODE_ENV: 'production' });
  });
  afterAll(() => beside.stop());

  /** What is logged of this request, once all of it is there. */
  const linesOf = async (requestId: string): Promise<LogEntry[]> => {
    await beside.serverProcess.waitForOutput(new RegExp(`"requestId":"${requestId}"`, 'g'));
    return lines().filter((line) => line.requestId === requestId);
  };
  const lines = (): LogEntry[] =>
    beside.serverProcess
      .output()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as LogEntry);

  it('is JSON, a line each, with the id of the request that the answer carries', async () => {
    const { headers } = await sendRequest(beside.serverProcess.url, 'GET', '/api/oauth/jwks');
    const [line] = await linesOf(headers.get('x-request-id')!);
    expect(line).toMatchObject({
      level: 'debug',
      message: expect.stringMatching(/^GET \/api\/oauth\/jwks 200 [\d.]+ ms$/),
    });
  });

  it('holds no secret, wherever one was sent', async () => {
    const { testServer, serverProcess } = beside;
    const [{ app, credentials }, account] = [await registerApp(testServer), await createAccount(testServer)];
    const { access_token, refresh_token } = await issueTokens(testServer, { app, account });
    const { client_id, client_secret } = credentials;
    const [password, code] = ['the password of a person', generateSecret('sam_code')];
    const secrets = [access_token, refresh_token, client_secret, password, code, generateSecret('sam_session')];
    const text = secrets.join(' ');
    const query = new URLSearchParams(secrets.map((secret, at) => [`value${at}`, secret])).toString();
    const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');

    const requestIds: string[] = [];
    const send = async (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<void> => {
      const answer = await sendRequest(serverProcess.url, method, path, {
        ...(body !== undefined && { body }),
        headers,
      });
      requestIds.push(answer.headers.get('x-request-id')!);
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

    await linesOf(requestIds.at(-1)!);
    const output = serverProcess.output();
    for (const requestId of requestIds) expect(output).toContain(requestId);
    for (const secret of [...secrets, basic, 'correct horse'])
      expect({ secret, isLogged: output.includes(secret.slice(0, 30)) || output.includes(secret.slice(-30)) }).toEqual({
        secret,
        isLogged: false,
      });
  });
});
