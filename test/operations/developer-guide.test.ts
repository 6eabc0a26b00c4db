import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Account } from '../../src/accounts/account.entity.js';
import { DemoService } from '../../src/demo/demo.service.js';
import { allow, signedIn } from '../support/authorize.js';
import { newAccount, newApp, newToken } from '../support/factories.js';
import { newFolder } from '../support/processes.js';
import { Service } from '../support/service.js';

describe('docs/for-app-developers.md', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.stop());

  it('takes a developer from a registered app to a refreshed token, every command as written', async () => {
    await service.get(DemoService).load();
    const token = await newToken(service, ['markers:read']);
    const onMap = await service.call('GET', '/api/markers?kind=artwork&count=true', { token });
    expect(onMap.body.page.numberMatched).toBe(60);
    const { credentials } = await newApp(service, {
      redirectUris: ['http://127.0.0.1:4000/callback'],
      scopes: ['openid', 'profile', 'markers:read', 'edits:write'],
    });
    const person = await newAccount(service);
    const tokenOf = async (username: string): Promise<string> =>
      newToken(service, undefined, await service.database.findOneByOrFail(Account, { username }));
    const guide = await readFile('docs/for-app-developers.md', 'utf8');
    const commands = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!);
    expect(commands.length).toBeGreaterThanOrEqual(7);
    const script = commands
      .join('\n')
      .replace('http://localhost:3000', service.url)
      .replace('app_…', credentials.client_id)
      .replace('sam_secret_…', credentials.client_secret)
      .replace('eyJ…mila', await tokenOf('mila'))
      .replace('eyJ…ines', await tokenOf('ines'));
    const folder = await newFolder();
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder.path });
    let output = '';
    shell.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const answered = new Promise<void>((resolve, reject) => {
      let isSent = false;
      shell.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (isSent || !/authorize\S*code_challenge_method=S256\S*\n/.test(output)) return;
        isSent = true;
        goThrough(output).then(resolve, reject);
      });
    });
    const goThrough = async (printed: string): Promise<void> => {
      const address = new URL(/http\S+authorize\S+/.exec(printed)![0]);
      const { location } = await allow(await signedIn(service, person), address.pathname + address.search);
      await untilAnswered(location!, shell);
    };
    const closed = new Promise<number | null>((done) => shell.once('close', done));
    await Promise.race([answered, closed]);
    const code = await closed;
    await folder.remove();
    expect({ code, output }).toEqual({ code: 0, output: expect.not.stringContaining('"error"') });
    const refreshTokens = output.match(/"refresh_token":"sam_refresh_[^"]+/g)!;
    expect([refreshTokens.length, new Set(refreshTokens).size]).toEqual([5, 4]); // one of them twice, by its key
    expect(output).toContain(`"preferred_username":"${person.username}"`);
    expect(output).toContain('{}'); // of the revocation
    expect(output).toMatch(/304\n410\n/);
    expect(output).toMatch(/412\n\{"id":"col_.*204\n204\n/);
    expect(output.trimEnd()).toMatch(/"revertEdit":\{.*\n?\{"edit":\{.*"rejected".*\}$/);
  });
});

/** Goes where the browser is sent, as soon as the app listens there. */
async function untilAnswered(address: string, app: ChildProcess): Promise<void> {
  while (app.exitCode === null) {
    try {
      await fetch(address);
      return;
    } catch (error) {
      const { code } = (error as Error).cause as { code?: string };
      if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') return; // the app left as soon as it had its answer
      if (code !== 'ECONNREFUSED') throw error;
      await new Promise((next) => setImmediate(next));
    }
  }
}
