import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { type DemoCredentials, DemoService } from '../../src/app/demo/demo.service.js';
import type { Account } from '../../src/identity/accounts/account.entity.js';
import { grantConsent, openSignedInBrowser } from '../support/authorization-flow.js';
import { createAccount, issueAccessToken, registerApp, type TestApp } from '../support/factories.js';
import { createTempFolder } from '../support/temp-folder.js';
import { TestServer } from '../support/test-server.js';
import { DEVELOPER_GUIDES, expectResponses, joinBlocks, linkRepository, readTestedBlocks } from './documents.js';

describe('The guides for app developers', () => {
  let server: TestServer;
  let demo: DemoCredentials;
  let account: Account;

  beforeAll(async () => {
    server = await TestServer.start();
    demo = (await server.get(DemoService).load())!;
    account = await createAccount(server);
  });
  afterAll(() => server.stop());

  it('lead from the registration of an app to refreshed tokens in the guides', async () => {
    const token = await issueAccessToken(server, ['markers:read']);
    const onMap = await server.request('GET', '/api/markers?kind=artwork&count=true', { token });
    expect(onMap.body.page.numberMatched).toBe(60);
    const { credentials } = await registerApp(server, {
      redirectUris: ['http://127.0.0.1:4000/callback'],
      scopes: ['openid', 'profile', 'markers:read', 'edits:write'],
    });
    const findDemoApp = (name: string): string => demo.apps.find((app) => app.name === name)!.client_id;
    const blocks = await readTestedBlocks(...DEVELOPER_GUIDES);
    expect(blocks.length).toBeGreaterThanOrEqual(7);
    const script = joinBlocks(blocks)
      .replace('WALLWALKER=app_…', `WALLWALKER=${findDemoApp('WallWalker')}`)
      .replace('REVIEWDESK=app_…', `REVIEWDESK=${findDemoApp('ReviewDesk')}`);
    const { code, output } = await run(script, credentials, fetchWhenListening);
    expect({ code, output }).toEqual({ code: 0, output: expect.not.stringContaining('"error"') });
    expectResponses(blocks, output);
    const refreshTokens = output.match(/"refresh_token":"sam_refresh_[^"]+/g)!;
    // one token twice, by its Idempotency-Key
    expect([refreshTokens.length, new Set(refreshTokens).size]).toEqual([5, 4]);
    expect(output).toContain(`"preferred_username":"${account.username}"`);
    expect(output).toContain('{}'); // the response of the revocation
    expect(output).toMatch(/304\n410\n/);
    expect(output).toMatch(/412\n\{"id":"col_.*204\n204\n/);
    expect(output).toMatch(/"revertEdit":\{.*\n?\{"edit":\{.*"rejected".*\}\n/);
    expect(output).toMatch(/\n\{"data":\[\{"id":"edt_\w+","status":"rejected"\}\]\}\n[^{]*$/);
  });

  it('lead to the documented responses in docs/quickstart.md', async () => {
    const { credentials } = await registerApp(server, {
      redirectUris: ['http://127.0.0.1:4000/callback'],
      scopes: ['markers:read'],
    });
    const blocks = await readTestedBlocks('docs/quickstart.md');
    const script = joinBlocks(blocks).replace('CODE=sam_code_…', 'read -r CODE');
    const { code, output } = await run(script, credentials, (location, shell) => {
      shell.stdin!.end(`${new URL(location).searchParams.get('code')}\n`);
    });
    expect({ code, output }).toEqual({ code: 0, output: expect.any(String) });
    expectResponses(blocks, output);
  });

  /** Runs a script with the credentials of an app, and signs in at the address that it prints. */
  async function run(
    script: string,
    credentials: TestApp['credentials'],
    onRedirect: (location: string, shell: ChildProcess) => void | Promise<void>,
  ): Promise<{ code: number | null; output: string }> {
    const filled = script
      .replace('http://localhost:3000', server.url)
      .replace('app_…', credentials.client_id)
      .replace('sam_secret_…', credentials.client_secret);
    const folder = await createTempFolder();
    await linkRepository(folder.path);
    const { BASE_URL, DATABASE_URL, MASTER_SECRET } = server.settings;
    const env = { ...process.env, BASE_URL, DATABASE_URL, MASTER_SECRET: MASTER_SECRET.join() };
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', filled], { cwd: folder.path, env });
    let output = '';
    shell.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const answered = new Promise<void>((resolve, reject) => {
      let isSent = false;
      shell.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (isSent || !/authorize\S*code_challenge_method=S256\S*\n/.test(output)) return;
        isSent = true;
        completeSignIn(output).then(resolve, reject);
      });
    });
    const completeSignIn = async (printed: string): Promise<void> => {
      const address = new URL(/http\S+authorize\S+/.exec(printed)![0]);
      const browser = await openSignedInBrowser(server, account);
      const { location } = await grantConsent(browser, address.pathname + address.search);
      await onRedirect(location!, shell);
    };
    const closed = new Promise<number | null>((done) => shell.once('close', done));
    await Promise.race([answered, closed]);
    const code = await closed;
    await folder.remove();
    return { code, output };
  }
});

/** Opens the redirect of the browser as soon as the app listens. */
async function fetchWhenListening(address: string, app: ChildProcess): Promise<void> {
  while (app.exitCode === null) {
    try {
      await fetch(address);
      return;
    } catch (error) {
      const { code } = (error as Error).cause as { code?: string };
      // the app closes the connection after its response
      if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') return;
      if (code !== 'ECONNREFUSED') throw error;
      await new Promise((next) => setImmediate(next));
    }
  }
}
