import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { runTool, ToolProcess } from '../support/deploy-tools.js';
import { registerApp } from '../support/factories.js';
import { findFreePort } from '../support/free-port.js';
import { ResourceOwner, startIssuer } from '../support/resource-owner.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import type { TestServer } from '../support/test-server.js';

describe('A website with golang.org/x/oauth2 and go-oidc', () => {
  let server: TestServer;
  let folder: TempFolder;
  let site: ToolProcess;
  let url: string;

  beforeAll(async () => {
    folder = await createTempFolder();
    server = await startIssuer();
    const { credentials } = await registerApp(server, { redirectUris: ['http://127.0.0.1/callback'] });
    const program = join(folder.path, 'site');
    const build = ['go', 'build', '-o', program, 'test/deploy-tools/go-oidc-site.go'];
    // Debian installs the sources of libraries into this folder, without modules.
    await runTool('env', 'GO111MODULE=off', 'GOPATH=/usr/share/gocode', `GOCACHE=${folder.path}`, ...build);
    const port = await findFreePort();
    const address = `127.0.0.1:${port}`;
    url = `http://${address}`;
    const settings = {
      ADDRESS: address,
      ISSUER: server.url,
      CLIENT_ID: credentials.client_id,
      CLIENT_SECRET: credentials.client_secret,
    };
    site = await ToolProcess.start(port, 'env', ...Object.entries(settings).map((entry) => entry.join('=')), program);
  });
  afterAll(async () => {
    await site.stop();
    await server.stop();
    await folder.remove();
  });

  const request = (path: string | URL, cookie = ''): Promise<Response> =>
    fetch(new URL(path, url), { redirect: 'manual', headers: { cookie } });

  it('has a session with the name of the person, and refreshes the access token', async () => {
    const owner = await ResourceOwner.create(server);
    const login = await request('/login');
    const callback = await request(await owner.signInAndGrantConsent(login.headers.get('location')!));
    expect([callback.status, callback.headers.get('location')]).toEqual([302, '/me']);
    const me = await request('/me', callback.headers.get('set-cookie')!.split(';')[0]);
    const { id, name, username } = owner.account;
    expect(await me.json()).toEqual({ name, preferred_username: username, userinfo_sub: id, refreshed: true });
  });

  it('has no session after the person denied the consent', async () => {
    const login = await request('/login');
    const owner = await ResourceOwner.create(server);
    const callback = await request(await owner.signInAndDenyConsent(login.headers.get('location')!));
    expect([callback.status, callback.headers.get('set-cookie')]).toEqual([502, null]);
  });
});
