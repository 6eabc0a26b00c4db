import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ServerProcess } from '../support/server-process.js';
import { linkRepository, readTestedBlocks } from './documents.js';

const BLOCK_END = '=== end of block ===';

/** Members whose documented value must be the real one; of other members only the type counts. */
const EXACT_MEMBERS = ['error', 'error_description', 'token_type', 'expires_in', 'scope'];

describe.each(['README.md', 'docs/quickstart.md'])('The commands of %s', (file) => {
  let folder: string;
  let server: ServerProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'street-art-quickstart-'));
    await linkRepository(folder);
    server = await ServerProcess.start(folder);
    await server.waitForOutput(/^curl .*markers/gm);
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  it('work after a first start, and print the documented responses', async () => {
    const blocks = await readTestedBlocks(file);
    expect(blocks.some(({ response }) => response !== undefined)).toBe(true);
    const script = blocks.map(({ code }) => `${code}\necho; echo '${BLOCK_END}'`).join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', fillIn(script)], { cwd: folder });
    const outputs = stdout.split(BLOCK_END);
    for (const [index, { code, response }] of blocks.entries()) {
      if (response === undefined) continue;
      const printed = toShape(JSON.parse(outputs[index]!));
      expect({ code, response: printed }).toEqual({ code, response: toShape(JSON.parse(response)) });
    }
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

function toShape(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => toShape(item));
  if (typeof value !== 'object' || value === null) return EXACT_MEMBERS.includes(name) ? value : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toShape(member, key)]));
}
