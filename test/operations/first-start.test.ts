import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort, createTempFolder, ServerProcess } from '../support/server-process.js';
import type { ResponseBody } from '../support/test-server.js';

const execFileAsync = promisify(execFile);

describe('The first start in a fresh checkout', () => {
  let folder: Awaited<ReturnType<typeof createTempFolder>>;
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
  const paste = async (line: string): Promise<ResponseBody> => {
    const { stdout } = await execFileAsync('bash', ['-c', line], { cwd: folder.path });
    return JSON.parse(stdout);
  };

  it('prints curl lines that work as they are, one after the other', async () => {
    const { output } = await start();
    const [refresh, guarded] = output().match(/^curl .*$/gm)!;
    const tokens = await paste(refresh);
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    const { data } = await paste(guarded!);
    expect(data).toHaveLength(2);
    expect(await paste(refresh)).toMatchObject({ error: 'invalid_grant' });
  });

  it('keeps everything over a stop and a start', async () => {
    const port = String(await findFreePort());
    const first = await start({ PORT: port });
    const [refresh, guarded] = first.output().match(/^curl .*$/gm)!;
    const { refresh_token, scope } = await paste(refresh);
    expect(await first.stop()).toBe(0);
    const second = await start({ PORT: port });
    expect(second.output()).not.toMatch(/sam_secret_|sam_refresh_/);
    const { data } = await paste(guarded!);
    expect(data).toHaveLength(2);
    const again = await paste(refresh.replace(/sam_refresh_[\w-]+/, refresh_token as string));
    expect(again.scope).toBe(scope);
  });

  it('keeps its secret for its owner alone, and none in clear in the database', async () => {
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

  it('tells its secrets at the next start where the port was taken at this one', async () => {
    const other = await createTempFolder();
    const port = String(await findFreePort());
    const taken = await ServerProcess.start(other.path, { PORT: port });
    await expect(start({ PORT: port })).rejects.toThrow(/EADDRINUSE/);
    expect(await taken.stop()).toBe(0);
    await other.remove();
    expect((await start({ PORT: port })).output()).toMatch(/sam_secret_/);
  });

  it('says in a line what keeps it from starting', async () => {
    const failed = start({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' });
    await expect(failed).rejects.toThrow(/: The service did not start\.\n.*ECONNREFUSED.*\n$/);
  });

  it('answers under the path of its base address', async () => {
    const port = String(await findFreePort());
    const { output } = await start({ PORT: port, BASE_URL: `http://127.0.0.1:${port}/map` });
    const [refresh, guarded] = output().match(/^curl .*$/gm)!;
    expect(await paste(refresh)).toMatchObject({ token_type: 'Bearer' });
    expect((await paste(guarded!)).data).toHaveLength(2);
  });

  it('works on a database in memory', async () => {
    const { output } = await start({ DATABASE_URL: 'sqlite::memory:' });
    expect(await paste(output().match(/^curl .*$/m)![0])).toMatchObject({ token_type: 'Bearer' });
  });

  it('in production loads no demo, and wants a MASTER_SECRET', async () => {
    await expect(start({ NODE_ENV: 'production' })).rejects.toThrow(/MASTER_SECRET is required in production/);
    const { output } = await start({
      NODE_ENV: 'production',
      MASTER_SECRET: 'a secret of the tests, and of them alone',
    });
    expect(output()).not.toMatch(/sam_|curl/);
  });

  it('ends by itself when it is told to stop', async () => {
    const { url } = await start();
    expect((await fetch(`${url}/api/markers`)).status).toBe(401);
    expect(await server!.stop('SIGINT')).toBe(0);
    await expect(fetch(`${url}/api/markers`)).rejects.toThrow();
  });
});
