import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readKubernetesObjects, readKustomization } from '../support/kubernetes-objects.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import {
  DEVELOPER_GUIDES,
  findUntestedReason,
  linkRepository,
  listDocuments,
  OPERATOR_GUIDES,
  readShellBlocks,
  readTestedBlocks,
  readUntestedBlocks,
  UNTESTED_BLOCKS,
} from './documents.js';

/** Documents whose commands are run by a test of their own. */
const TESTED_DOCUMENTS = ['README.md', 'docs/quickstart.md', ...DEVELOPER_GUIDES, ...OPERATOR_GUIDES];

/** Documents whose commands are run below, without a service. */
const COMMAND_DOCUMENTS = [
  'docs/certification.md',
  'docs/commands.md',
  'examples/mural-walk/README.md',
  'examples/pocket-map/README.md',
];

/** Characters of the shortest secret that the documents create, without its line end. */
const SECRET_LENGTH = 32;

/** The languages of code blocks that are not commands. */
const CODE_LANGUAGES = ['', 'json', 'js', 'ts', 'yaml', 'python', 'ruby', 'go'];

describe('The commands of the documents', () => {
  it('are run by a test, except those that the list of untested blocks names', async () => {
    const others = (await listDocuments()).filter(
      (file) => ![...TESTED_DOCUMENTS, ...COMMAND_DOCUMENTS].includes(file),
    );
    const blocks = (await Promise.all(others.map(readShellBlocks))).flat();
    expect(blocks.filter((block) => findUntestedReason(block) === undefined)).toEqual([]);
  });

  it('are in blocks of the language sh, and in no other blocks', async () => {
    for (const file of await listDocuments()) {
      const fences = [...(await readFile(file, 'utf8')).matchAll(/^ *```([^\n]*)\n(.*?)^ *```$/gms)];
      const others = fences.filter(([, language]) => language !== 'sh');
      const unknown = others.filter(([, language]) => !CODE_LANGUAGES.includes(language!.trim()));
      const commands = others.filter(([, , code]) => /^(\$ |npm |node |npx |curl |docker |git |psql )/m.test(code!));
      expect({ file, unknown, commands }).toEqual({ file, unknown: [], commands: [] });
      expect({ file, blocks: fences.length - others.length }).toEqual({
        file,
        blocks: (await readShellBlocks(file)).length,
      });
    }
  });

  it('match each entry in the list of untested blocks once', async () => {
    for (const [file, entries] of Object.entries(UNTESTED_BLOCKS)) {
      const blocks = await readShellBlocks(file);
      for (const [start] of entries) {
        const matches = blocks.filter(({ code }) => code.startsWith(start)).length;
        expect({ file, start, matches }).toEqual({ file, start, matches: 1 });
      }
    }
  });

  it.each(COMMAND_DOCUMENTS)('of %s run in the repository', async (file) => {
    const blocks = await readTestedBlocks(file);
    expect(blocks.length).toBeGreaterThan(0);
    const output = await runInRepository(blocks.map(({ code }) => code.replaceAll('COMMAND', 'apps list')).join('\n'));
    expect(output).toMatch(/^none$|^client_secret +sam_secret_|^client_id +app_/m);
  });
});

describe('The blocks that no test runs', () => {
  it.each(['installs', 'benchmark', 'example'] as const)('call npm scripts that exist: %s', async (reason) => {
    const ci = await readFile('.ci/run', 'utf8');
    for (const { file, code } of await readUntestedBlocks(reason)) {
      const folder = /^cd (\S+)/m.exec(code)?.[1] ?? '.';
      const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
      const named = [...code.matchAll(/\bnpm (?:run )?(start|test|build|cli|example(?::browser)?|bench:\w+)\b/g)];
      expect({ file, code, count: named.length }).not.toEqual({ file, code, count: 0 });
      for (const [, script] of named)
        expect({ file, script, command: scripts[script!] }).toEqual({ file, script, command: expect.any(String) });
      if (reason === 'installs') expect(code).toMatch(/\bnpm ci\b/);
    }
    expect(ci).toContain("step 'install' && npm ci");
  });

  it.each([
    ['example', 'scripts/run-example.js', 'test/browser/example-app.test.ts'],
    ['example:browser', 'scripts/run-browser-example.js', 'test/browser/pocket-map.test.ts'],
  ])('start the %s as its browser test does', async (name, script, test) => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(scripts[name]).toBe(`node ${script}`);
    expect(await readFile(test, 'utf8')).toContain(`'${script}'`);
  });

  it('call an assistant with the address of the MCP server', async () => {
    const folder = await createTempFolder();
    await mkdir(join(folder.path, 'bin'));
    await writeFile(join(folder.path, 'bin', 'claude'), '#!/bin/sh\necho "claude $*"\n', { mode: 0o755 });
    const blocks = await readUntestedBlocks('assistant');
    const output = await runShell(blocks.map(({ code }) => code).join('\n'), folder, join(folder.path, 'bin'));
    const calls = output.trim().split('\n');
    expect(calls).toEqual([
      expect.stringMatching(/ map https:\S+\/mcp$/),
      expect.stringMatching(/ map https:\S+\/mcp$/),
    ]);
    await folder.remove();
  });

  it('call Docker with services and settings of compose.yaml', async () => {
    const compose = await readFile('compose.yaml', 'utf8');
    const services = [...compose.split(/^services:$/m)[1]!.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name!);
    const required = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!);
    const folder = await createTempFolder();
    await mkdir(join(folder.path, 'bin'));
    await writeFile(join(folder.path, 'bin', 'docker'), '#!/bin/sh\necho "docker $*"\n', { mode: 0o755 });
    const blocks = await readUntestedBlocks('docker');
    const output = await runShell(blocks.map(({ code }) => code).join('\n'), folder, join(folder.path, 'bin'));
    const calls = output.trim().split('\n');
    expect(calls.filter((call) => call.startsWith('docker compose'))).toHaveLength(4);
    const named = calls.flatMap((call) => call.match(/\bmap-\d\b/g) ?? []);
    expect(named.filter((name) => !services.includes(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
    const settings = [...(await readFile(join(folder.path, '.env'), 'utf8')).matchAll(/^(\w+)=.{10,}$/gm)];
    expect(settings.map(([, name]) => name).sort()).toEqual([...new Set(required)].sort());
    const secrets = [...compose.matchAll(/^ {4}file: (\.\/secrets\/.*)$/gm)].map(([, path]) => path!);
    expect(secrets.length).toBeGreaterThan(2);
    for (const path of secrets)
      expect((await readFile(join(folder.path, path), 'utf8')).length).toBeGreaterThan(SECRET_LENGTH);
    await folder.remove();
  });

  it('call kubectl with files and objects of deploy/kubernetes', async () => {
    const objects = (await readKubernetesObjects()).map(({ kind, metadata }) =>
      `${kind}/${metadata.name}`.toLowerCase(),
    );
    const { namespace } = await readKustomization();
    const folder = await createTempFolder();
    await mkdir(join(folder.path, 'bin'));
    await writeFile(join(folder.path, 'bin', 'kubectl'), '#!/bin/sh\necho "kubectl $*" >&2\n', { mode: 0o755 });
    const blocks = await readUntestedBlocks('kubernetes');
    const script = blocks.map(({ code }) => `(${code}) 2>&1`).join('\n');
    const calls = (await runShell(script, folder, join(folder.path, 'bin'))).trim().split('\n');
    expect(calls.length).toBe(10);
    const namespaces = calls.flatMap((call) => /--namespace (\S+)/.exec(call)?.[1] ?? []);
    expect(new Set(namespaces)).toEqual(new Set([namespace, 'ingress-nginx']));
    const named = calls.flatMap((call) => /\b(job|deployment)[ /][\w-]+/.exec(call)?.[0].replace(' ', '/') ?? []);
    expect(named.filter((name) => !objects.includes(name))).toEqual([]);
    expect(named).toHaveLength(4);
    expect(calls.join('\n')).toContain('--selector app.kubernetes.io/component=migration');
    const files = calls.flatMap((call) => call.match(/deploy\/[\w/.-]+/g) ?? []);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    await folder.remove();
  });
});

async function runInRepository(script: string): Promise<string> {
  const folder = await createTempFolder();
  await linkRepository(folder.path);
  const output = await runShell(script, folder);
  await folder.remove();
  return output;
}

async function runShell(script: string, folder: TempFolder, firstInPath = '/'): Promise<string> {
  const env = { PATH: `${firstInPath}:${process.env['PATH']}`, HOME: folder.path };
  const options = { cwd: folder.path, env, timeout: 50_000 };
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], options);
  return stdout;
}
