import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient } from '../support/browser-client.js';
import { createAccount, registerApp } from '../support/factories.js';
import { listPagePaths } from '../support/page-paths.js';
import { TestServer } from '../support/test-server.js';

describe('The scripts of the pages', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  it('are those of the table in docs/security.md', async () => {
    const account = await createAccount(server, { role: 'moderator' });
    const { app } = await registerApp(server, { ownerId: account.id });
    const browsers = [new BrowserClient(server), await openSignedInBrowser(server, account)];
    const pagesByScript: Record<string, Set<string>> = {};
    for (const browser of browsers) {
      for (const path of listPagePaths(server, 'GET', app.id)) {
        const { html, headers } = await browser.get(path);
        const scripts = [...html.matchAll(/<script src="([^"]*)"/g)].map(([, script]) => script!);
        const allowsScripts = headers.get('content-security-policy')?.includes('script-src') ?? false;
        expect({ path, allowsScripts }).toEqual({ path, allowsScripts: scripts.length > 0 });
        for (const script of scripts) (pagesByScript[script] ??= new Set()).add(path.replace(app.id, ':id'));
      }
    }
    const text = await readFile('docs/security.md', 'utf8');
    const rows = [...text.matchAll(/^\| `(\/[\w/.-]+\.js)` \| .* \| (.*) \|$/gm)].map(([, script, pages]) => [
      script,
      [...pages!.matchAll(/`([^`]+)`/g)].map(([, page]) => page).sort(),
    ]);
    const found = Object.entries(pagesByScript).map(([script, pages]) => [script, [...pages].sort()]);
    // A response to an app, which is no page of this list, runs the other script.
    expect(rows.filter(([script]) => script !== '/assets/form-post.js').sort()).toEqual(found.sort());
  });
});
