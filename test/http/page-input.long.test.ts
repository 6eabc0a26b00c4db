import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import type { BrowserClient } from '../support/browser-client.js';
import { createAccount, registerApp, type TestApp } from '../support/factories.js';
import { listPagePaths } from '../support/page-paths.js';
import { TestServer } from '../support/test-server.js';

describe('Pages', () => {
  let server: TestServer;
  let browser: BrowserClient;
  let app: TestApp;

  beforeAll(async () => {
    server = await TestServer.start();
    const account = await createAccount(server);
    browser = await openSignedInBrowser(server, account);
    app = await registerApp(server, { ownerId: account.id });
  });
  afterAll(() => server.stop());

  it.each<[string, BodyInit, Record<string, string>, number]>([
    ['JSON', '{}', { 'Content-Type': 'application/json' }, 415],
    [
      'more than 64 KiB',
      `username=${'x'.repeat(70_000)}`,
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      413,
    ],
    [
      'bytes that are no UTF-8',
      Buffer.from('username=\xff', 'latin1'),
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      400,
    ],
  ])('reject %s with a page', async (_, body, headers, expected) => {
    const response = await fetch(`${server.url}/sign-in`, { method: 'POST', body, headers });
    expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({
      status: expected,
      type: expect.stringContaining('html'),
    });
  });

  it('return no 5xx for any form, query or path', async () => {
    const strange = ['', '\0', '\u202e', 'x'.repeat(5000), '[object Object]', '__proto__', '%00', "' OR 1=1"];
    const names = [
      'username',
      'password',
      'what',
      'request',
      'scope',
      'scopes',
      'redirectUris',
      'onward',
      'return_to',
      'removed',
      'credential',
      'passkey',
      'name',
      'done',
    ];
    for (const value of strange) {
      const fields = Object.fromEntries(names.map((name) => [name, [value, value]]));
      const query = new URLSearchParams(names.map((name) => [name, value])).toString();
      for (const path of listPagePaths(server, 'POST', app.app.id)) {
        const { status } = await browser.post(path, fields);
        expect({ path, value, calm: status < 500 }).toEqual({ path, value, calm: true });
      }
      for (const path of listPagePaths(server, 'GET', app.app.id)) {
        const { status } = await browser.get(`${path}?${query}`);
        expect({ path, value, calm: status < 500 }).toEqual({ path, value, calm: true });
      }
      const { status } = await browser.get(`/developer/apps/${encodeURIComponent(value) || 'x'}`);
      expect({ value, calm: status < 500 }).toEqual({ value, calm: true });
    }
  });
});
