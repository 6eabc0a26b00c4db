import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { DemoService } from '../../src/app/demo/demo.service.js';
import { grantConsent, openSignedInBrowser } from '../support/authorization-flow.js';
import { createAccount, registerApp, issueAccessToken } from '../support/factories.js';
import { createTempFolder } from '../support/temp-folder.js';
import { TestServer } from '../support/test-server.js';
import { linkRepository, readTestedBlocks } from './documents.js';

describe('docs/app-developers.md', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  it('leads from the registration of an app to refreshed tokens with its commands unchanged', async () => {
    const demo = (await server.get(DemoService).load())!;
    const token = await issueAccessToken(server, ['markers:read']);
    const onMap = await server.request('GET', '/api/markers?kind=artwork&count=true', { token });
    expect(onMap.body.page.numberMatched).toBe(60);
    const { credentials } = await registerApp(server, {
      redirectUris: ['http://127.0.0.1:4000/callback'],
      scopes: ['openid', 'profile', 'markers:read', 'edits:write'],
    });
    const account = await createAccount(server);
    const findDemoApp = (name: string): string => demo.apps.find((app) => app.name === name)!.client_id;
    const blocks = await readTestedBlocks('docs/app-developers.md');
    expect(blocks.length).toBeGreaterThanOrEqual(7);
    const script = blocks
      .map(({ code }) => code)
      .join('\n')
      .replace('http://localhost:3000', server.url)
      .replace('WALLWALKER=app_…', `WALLWALKER=${findDemoApp('WallWalker')}`)
      .replace('REVIEWDESK=app_…', `REVIEWDESK=${findDemoApp('ReviewDesk')}`)
      .replace('app_…', credentials.client_id)
      .replace('sam_secret_…', credentials.client_secret);
    const folder = await createTempFolder();
    await linkRepository(folder.path);
    const { BASE_URL, DATABASE_URL, MASTER_SECRET } = server.settings;
    const env = { ...process.env, BASE_URL, DATABASE_URL, MASTER_SECRET: MASTER_SECRET.join() };
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder.path, env });
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
    const completeSignIn = async (output: string): Promise<void> => {
      const address = new URL(/http\S+authorize\S+/.exec(output)![0]);
      const { location } = await grantConsent(
        await openSignedInBrowser(server, account),
        address.pathname + address.search,
      );
      await fetchWhenListening(location!, shell);
    };
    const closed = new Promise<number | null>((done) => shell.once('close', done));
    await Promise.race([answered, closed]);
    const code = await closed;
    await folder.remove();
    expect({ code, output }).toEqual({ code: 0, output: expect.not.stringContaining('"error"') });
    const refreshTokens = output.match(/"refresh_token":"sam_refresh_[^"]+/g)!;
    // one token twice, by its Idempotency-Key
    expect([refreshTokens.length, new Set(refreshTokens).size]).toEqual([5, 4]);
    expect(output).toContain(`"preferred_username":"${account.username}"`);
    expect(output).toContain('{}'); // the response of the revocation
    expect(output).toMatch(/304\n410\n/);
    expect(output).toMatch(/412\n\{"id":"col_.*204\n204\n/);
    expect(output.trimEnd()).toMatch(/"revertEdit":\{.*\n?\{"edit":\{.*"rejected".*\}$/);
  });
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
