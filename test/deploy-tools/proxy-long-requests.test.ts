import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { createAuthorizationRequest, grantConsent, parseRedirectParams } from '../support/authorization-flow.js';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount, registerApp, type TestApp } from '../support/factories.js';
import { findFreePort } from '../support/free-port.js';
import { type ProxyFile, ReverseProxy } from '../support/reverse-proxy.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import { TestServer } from '../support/test-server.js';

/** Characters of the longest state in a query. */
const STATE_LENGTH = 4600;

const FILES: ProxyFile[] = ['deploy/nginx.conf', 'deploy/nginx-tls.conf', 'deploy/haproxy-http.cfg'];

describe.each(FILES)('A proxy with %s', (file) => {
  let folder: TempFolder;
  let service: TestServer;
  let proxy: ReverseProxy;
  let account: Account;
  let app: TestApp;
  let browser: BrowserClient;

  beforeAll(async () => {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    service = await TestServer.start({ BASE_URL: url, COMPRESSION: 'off', TRUST_PROXY: '1' });
    [account, app] = [await createAccount(service), await registerApp(service)];
    folder = await createTempFolder();
    // The browser has no certificate of the copy, so that the service is reached by HTTP.
    proxy = await ReverseProxy.start(folder.path, file, port, [Number(new URL(service.url).port)]);
    browser = new BrowserClient({ url });
  });
  afterAll(async () => {
    await proxy.stop();
    await service.stop();
    await folder.remove();
  });

  /** Returns a state of JSON that has this many characters in a query. */
  const createState = (length: number): string => {
    const json = '{"a":"/b?c=d"}'.repeat(120);
    return json + 'x'.repeat(length - new URLSearchParams({ s: json }).toString().length + 2);
  };

  it(`signs in with ${STATE_LENGTH} characters of state, and returns them to the app`, async () => {
    const state = createState(STATE_LENGTH);
    const { path } = createAuthorizationRequest(app, { scope: 'openid', state });
    const { status, location } = await browser.get(path);
    expect(status).toBe(303);
    const back = await browser.signIn(account, 'correct horse', location!);
    const params = parseRedirectParams(await grantConsent(browser, back.location!));
    expect({ state: params.state, code: params.code }).toEqual({ state, code: expect.stringMatching(/^sam_code_/) });
    expect(parseRedirectParams(await browser.get(path)).state).toBe(state);
  });

  it(`signs in with ${STATE_LENGTH} characters that a form encodes in three`, async () => {
    const state = '(!*{|}'.repeat(STATE_LENGTH).slice(0, STATE_LENGTH);
    const { path } = createAuthorizationRequest(app, { scope: 'openid', state: undefined });
    const reader = new BrowserClient({ url: service.settings.BASE_URL }, { referer: `${path}&state=${state}` });
    const { location } = await reader.get(`${path}&state=${state}&prompt=consent`);
    const back = await reader.signIn(account, 'correct horse', location!);
    expect((await grantConsent(reader, back.location!)).location!.endsWith(`&state=${state}`)).toBe(true);
  });

  it('returns the error of the service to the app after one character too many', async () => {
    const { path } = createAuthorizationRequest(app, { scope: 'openid', state: createState(5000) });
    expect(parseRedirectParams(await browser.get(path)).error).toBe('invalid_request');
  });
});
