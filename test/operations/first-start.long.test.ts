import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ServerProcess } from '../support/server-process.js';
import { findFreePort } from '../support/free-port.js';
import { TEST_SETTINGS } from '../support/test-settings.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import type { ResponseBody } from '../support/test-server.js';

const execFileAsync = promisify(execFile);

describe('First start', () => {
  let folder: TempFolder;
  let server: ServerProcess | undefined;

  beforeEach(async () => {
    folder = await createTempFolder();
  });
  afterEach(async () => {
    await server?.stop();
    await folder.remove();
  });

  const start = async (environment: Record<string, string> = {}): Promise<ServerProcess> => {
    server = await ServerProcess.start(folder.path, environment);
    return server;
  };
  const runShellLine = async (line: string): Promise<ResponseBody> => {
    const { stdout } = await execFileAsync('bash', ['-c', line], {
      cwd: folder.path,
      timeout: 50_000,
      killSignal: 'SIGKILL',
    });
    return JSON.parse(stdout);
  };

  it('prints curl commands that work in the order of the output', async () => {
    const { output } = await start();
    const [refresh, guarded] = output().match(/^curl .*$/gm)!;
    const tokens = await runShellLine(refresh);
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    const { data } = await runShellLine(guarded!);
    expect(data).toHaveLength(2);
    expect(await runShellLine(refresh)).toMatchObject({ error: 'invalid_grant' });
  });

  it('keeps the data after a restart', async () => {
    const port = String(await findFreePort());
    const first = await start({ PORT: port });
    const [refresh, guarded] = first.output().match(/^curl .*$/gm)!;
    const { refresh_token, scope } = await runShellLine(refresh);
    expect(await first.stop()).toBe(0);
    const second = await start({ PORT: port });
    expect(second.output()).not.toMatch(/sam_secret_|sam_refresh_/);
    const { data } = await runShellLine(guarded!);
    expect(data).toHaveLength(2);
    const again = await runShellLine(refresh.replace(/sam_refresh_[\w-]+/, refresh_token as string));
    expect(again.scope).toBe(scope);
  });

  it('creates the secret with mode 600, and stores no secret in plain text', async () => {
    const { output } = await start();
    const { mode } = await stat(join(folder.path, 'data', 'master-secret'));
    expect(mode & 0o777).toBe(0o600);
    const secrets = output().match(/sam_(secret|refresh)_[\w-]+/g)!;
    expect(secrets.length).toBeGreaterThan(2);
    await server!.stop();
    const stored = (await readFile(join(folder.path, 'data', 'street-art.sqlite'))).toString('latin1');
    for (const secret of secrets) expect(stored).not.toContain(secret.slice(12, 40));
    expect(stored).not.toContain('PRIVATE KEY');
  });

  it('prints the demo secrets at the next start when the port was in use', async () => {
    const other = await createTempFolder();
    const port = String(await findFreePort());
    const occupant = await ServerProcess.start(other.path, { PORT: port });
    await expect(start({ PORT: port })).rejects.toThrow(/EADDRINUSE/);
    expect(await occupant.stop()).toBe(0);
    await other.remove();
    expect((await start({ PORT: port })).output()).toMatch(/sam_secret_/);
  });

  it('prints one line when it cannot start', async () => {
    const failed = start({ DATABASE_URL: 'postgres://map@127.0.0.1:1/nothing', NODE_ENV: 'test' });
    await expect(failed).rejects.toThrow(/: The service did not start\.\n.*ECONNREFUSED.*\n$/);
  });

  it.each([
    [{ NODE_ENV: 'prod' }, 'NODE_ENV must be development, test or production.'],
    [{ BASE_URL: 'https://map.example.org' }, 'NODE_ENV must be set with an https BASE_URL.'],
  ])('loads no demo data, and does not start, with %j', async (environment, sentence) => {
    await expect(start(environment)).rejects.toThrow(`: The service did not start.\n${sentence}`);
    await expect(stat(join(folder.path, 'data'))).rejects.toThrow('ENOENT');
  });

  it('responds below the path of BASE_URL', async () => {
    const port = String(await findFreePort());
    const { output } = await start({ PORT: port, BASE_URL: `http://127.0.0.1:${port}/map` });
    const [refresh, guarded] = output().match(/^curl .*$/gm)!;
    expect(await runShellLine(refresh)).toMatchObject({ token_type: 'Bearer' });
    expect((await runShellLine(guarded!)).data).toHaveLength(2);
  });

  it('works with an in-memory database', async () => {
    const { output } = await start({ DATABASE_URL: 'sqlite::memory:' });
    expect(await runShellLine(output().match(/^curl .*$/m)![0])).toMatchObject({ token_type: 'Bearer' });
  });

  it('in production loads no demo data, and requires MASTER_SECRET', async () => {
    await expect(start({ NODE_ENV: 'production' })).rejects.toThrow(/MASTER_SECRET is required in production/);
    const { output } = await start({
      NODE_ENV: 'production',
      MASTER_SECRET: TEST_SETTINGS.MASTER_SECRET,
    });
    expect(output()).not.toMatch(/sam_|curl/);
  });

  it('stops with exit code 0 on SIGINT', async () => {
    const { url } = await start();
    expect((await fetch(`${url}/api/markers`)).status).toBe(401);
    expect(await server!.stop('SIGINT')).toBe(0);
    await expect(fetch(`${url}/api/markers`)).rejects.toThrow();
  });
});
