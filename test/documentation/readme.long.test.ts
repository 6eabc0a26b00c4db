import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ServerProcess } from '../support/server-process.js';
import { expectResponses, joinBlocks, linkRepository, readTestedBlocks } from './documents.js';

describe('The commands of README.md', () => {
  let folder: string;
  let server: ServerProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'street-art-readme-'));
    await linkRepository(folder);
    server = await ServerProcess.start(folder);
    await server.waitForOutput(/^curl .*markers/gm);
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  it('work after a first start, and print the documented responses', async () => {
    const blocks = await readTestedBlocks('README.md');
    const script = fillIn(joinBlocks(blocks));
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder });
    expectResponses(blocks, stdout);
  });

  /** Replaces the placeholders with the address and the credentials of the demo. */
  function fillIn(script: string): string {
    const [refresh] = /^curl .*refresh_token.*$/m.exec(server.output())!;
    return script
      .replaceAll('http://localhost:3000', server.url)
      .replace('app_…', /app_\w+/.exec(refresh)![0])
      .replace('sam_secret_…', /sam_secret_[\w-]+/.exec(refresh)![0])
      .replace('sam_refresh_…', /sam_refresh_[\w-]+/.exec(refresh)![0]);
  }
});
