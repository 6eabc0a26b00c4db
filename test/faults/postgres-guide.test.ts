import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { OPERATOR_GUIDES, readTestedBlocks, readUntestedBlocks } from '../documentation/documents.js';
import { findPostgres } from '../support/find-postgres.js';
import { buildSpawnOptions, PostgresCluster } from '../support/postgres-cluster.js';
import { PostgresPair } from '../support/postgres-pair.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';

describe('The PostgreSQL commands of the guides for operators', () => {
  let cluster: PostgresCluster;
  let folder: TempFolder;

  beforeAll(async () => {
    [cluster, folder] = await Promise.all([PostgresCluster.start(), createTempFolder()]);
    await symlink(resolve('dist'), join(folder.path, 'dist'));
  });
  afterAll(async () => {
    await cluster.drop();
    await folder.remove();
  });

  it('create a database, dump it, restore it, and copy the server', async () => {
    const [create, , dump, restore, copy] = (await readUntestedBlocks('postgres')).map(({ code }) => code);
    const blocks = (await readTestedBlocks(...OPERATOR_GUIDES)).map(({ code }) => code);
    const findBlock = (part: string): string => blocks.find((code) => code.includes(part))!;
    await runShell(findBlock('> map.env'));
    await runShell(create!);
    await runShell(findBlock('accounts create'), 'moss-harbor-window\n');
    await runShell(dump!);
    await runShell(restore!);
    const { hostname, port } = new URL(cluster.url);
    const restored = `postgres://map@${hostname}:${port}/map_restored`;
    const query = ['--dbname', restored, '--tuples-only', '--no-align', '--command', 'select username from accounts'];
    const { stdout } = await promisify(execFile)(join(findPostgres(), 'psql'), query);
    expect(stdout).toBe('ada\n');
    await runShell(copy!);
    expect(await readdir(join(folder.path, 'base'))).toContain('PG_VERSION');
  });

  it('reattach the old primary after a failover', async () => {
    const pair = await PostgresPair.start();
    const { primary: old, standby: db2 } = pair;
    // The log that an archive would have is still there.
    await old.execute("ALTER SYSTEM SET restore_command = 'false'", "ALTER SYSTEM SET wal_keep_size = '1GB'");
    await old.kill();
    await pair.promote();
    await db2.execute('CREATE TABLE after ()');
    const [, reattach] = (await readUntestedBlocks('postgres')).map(({ code }) => code);
    const script = reattach!.replace(/\/var\/lib\S+/, old.folder).replaceAll('db2', '127.0.0.1');
    const env = { ...process.env, PATH: `${findPostgres()}:${process.env['PATH']}`, PGPORT: String(db2.port) };
    await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { ...buildSpawnOptions(), env });
    await old.restart();
    await pair.requireStandby();
    expect(await old.execute("SELECT to_regclass('after') AS found")).toEqual([{ found: 'after' }]);
    await pair.drop();
  });

  /** Runs commands as a superuser of the cluster. @param input the lines typed at the prompts */
  async function runShell(code: string, input = 'PASSWORD\nPASSWORD\n'): Promise<void> {
    const { hostname, port, username } = new URL(cluster.url);
    const script = code.replaceAll('/var/backups', folder.path).replaceAll('127.0.0.1:5432', `${hostname}:${port}`);
    const PATH = `${findPostgres()}:${process.env['PATH']}`;
    const env = { ...process.env, PATH, PGHOST: hostname, PGPORT: port, PGUSER: username };
    // A session of its own has no terminal, so that the prompts read the input.
    const options = { cwd: folder.path, env, detached: true };
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], options);
    let output = '';
    shell.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    shell.stdout.resume();
    shell.stdin.end(input);
    const [exitCode] = await once(shell, 'close');
    expect({ code, output, exitCode }).toEqual({ code, output: expect.any(String), exitCode: 0 });
  }
});
