import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../support/free-port.js';
import { OPERATOR_GUIDES, readTestedBlocks } from './documents.js';

/** The last line of the block that starts the service. It runs until it is stopped. */
const START_COMMAND = '\nnode dist/src/main.js\n';

describe('The commands of the guides for operators', () => {
  let folder: string;
  let environment: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'street-art-operations-'));
    await symlink(resolve('dist'), join(folder, 'dist'));
    await mkdir(join(folder, 'backups'));
    environment = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, HOME: folder };
  });
  afterAll(() => rm(folder, { recursive: true }));

  const runShell = async (script: string): Promise<string> => {
    const args = ['-euo', 'pipefail', '-c', script.replaceAll('/var/backups', join(folder, 'backups'))];
    const running = promisify(execFile)('bash', args, { cwd: folder, env: environment });
    running.child.stdin!.end('moss-harbor-window\n'); // the password of the first moderator
    return (await running).stdout;
  };

  it('set up, start, migrate, back up and restore a service on SQLite', async () => {
    const codes = (await readTestedBlocks(...OPERATOR_GUIDES)).map(({ code }) => code);
    const start = codes.findIndex((code) => code.endsWith(START_COMMAND));
    expect(start).toBeGreaterThan(0);
    await runShell(codes.slice(0, start).join('\n'));
    expect(await startAndStop(codes[start]!)).toContain('https://map.example.org');
    const stdout = await runShell(codes.slice(start + 1).join('\n'));
    expect(stdout).toMatch(/^username +ada$/m);
    expect(stdout).toMatch(/^as_of +\d{4}-/m);
    expect(await readdir(join(folder, 'data'))).toContain('street-art.sqlite');
    expect(await readdir(join(folder, 'data', 'before'))).toContain('street-art.sqlite');
  });

  /** Runs the block until the service listens, and stops it. @returns its output */
  async function startAndStop(code: string): Promise<string> {
    const env = { ...environment, HOST: '127.0.0.1', PORT: String(await findFreePort()) };
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', code.replace(/\nnode /, '\nexec node ')], {
      cwd: folder,
      env,
    });
    const closed = once(shell, 'close');
    let output = '';
    shell.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    shell.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (/listens at|server_started/.test(output)) shell.kill();
    });
    expect({ ended: await closed, output }).toEqual({ ended: [0, null], output: expect.any(String) });
    return output;
  }
});
