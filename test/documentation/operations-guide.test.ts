import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readTestedBlocks } from './documents.js';

describe('The commands of docs/operations.md', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'street-art-operations-'));
    await symlink(resolve('dist'), join(folder, 'dist'));
    await mkdir(join(folder, 'backups'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('set up, migrate, back up and restore a service on SQLite', async () => {
    const blocks = await readTestedBlocks('docs/operations.md');
    const script = blocks.map(({ code }) => code).join('\n');
    const environment = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, HOME: folder };
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-euo', 'pipefail', '-c', script.replaceAll('/var/backups', join(folder, 'backups'))],
      { cwd: folder, env: environment },
    );
    expect(stdout).toMatch(/^username +ada$/m);
    expect(stdout).toMatch(/^as_of +\d{4}-/m);
    expect(await readdir(join(folder, 'data'))).toContain('street-art.sqlite');
    expect(await readdir(join(folder, 'data', 'before'))).toContain('street-art.sqlite');
  });
});
