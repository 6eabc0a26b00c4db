import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { copyFile, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buildDemoId } from '../../src/app/demo/demo-data.js';
import { DemoServer } from '../support/demo-server.js';
import { runNode } from '../support/run-command.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import type { ResponseBody } from '../support/test-server.js';

const TOOLS_FOLDER = 'test/tools/node_modules';
const PROGRAMS_FOLDER = 'test/tools/generated-clients';
const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    types: ['node'],
    rootDir: '.',
    outDir: 'dist',
  },
  include: ['.'],
  exclude: ['dist', 'node_modules'],
};

/** The values that both programs read. */
const EXPECTED_VALUES = {
  title: expect.any(String),
  cursor: expect.any(String),
  action: expect.stringMatching(/^(created|changed)$/),
  changedTitle: expect.any(String),
  since: expect.any(String),
  artistNames: [expect.any(String), expect.any(String)],
  artistVersions: expect.any(Number),
  clusterSize: expect.any(Number),
  regionSize: expect.any(Number),
  latitude: expect.any(Number),
  items: expect.any(Number),
  edits: expect.any(Number),
  summary: expect.any(String),
  username: 'mila',
  keys: 2,
  issuers: ['https://map.example.org', 'https://map.example.org'],
  resources: ['https://map.example.org/api', 'https://map.example.org/api', 'https://map.example.org/mcp'],
  openapi: '3.1.1',
  logoutPage: expect.stringMatching(/^<!doctype html>/i),
  authorization: 303,
};

/** A generator or the compiler needs 2 to 5 seconds of one core; a busy machine takes longer. */
const TOOL_TIMEOUT_MS = 150_000;
jest.setTimeout(2 * TOOL_TIMEOUT_MS + 10_000);

describe('Clients that are generated from the OpenAPI document', () => {
  let demoServer: DemoServer;
  let folder: TempFolder;
  let compilation: Awaited<ReturnType<typeof runTool>>;

  beforeAll(async () => {
    demoServer = await DemoServer.start();
    folder = await createTempFolder();
    await symlink(resolve(TOOLS_FOLDER), join(folder.path, 'node_modules'));
    await write('package.json', { type: 'module' });
    await write('tsconfig.json', TSCONFIG);
    await write('openapi.json', demoServer.document.document);
    await writeFile(at('orval.config.mjs'), buildOrvalConfig(demoServer.server.url));
    for (const name of await readdir(PROGRAMS_FOLDER)) await copyFile(join(PROGRAMS_FOLDER, name), at(name));
    const generations = await Promise.all([
      runTool('openapi-typescript/bin/cli.js', at('openapi.json'), '--output', at('map-api.ts')),
      runTool('@hey-api/openapi-ts/bin/run.js', '--input', at('openapi.json'), '--output', at('hey-api'), '--silent'),
      runTool('orval/dist/bin/orval.mjs', '--config', at('orval.config.mjs')),
      runTool(
        'swagger-typescript-api/dist/cli.mjs',
        ...['generate', '--path', at('openapi.json'), '--output', at('swagger-typescript-api'), '--name', 'api.ts'],
      ),
    ]);
    for (const { code, stderr } of generations) expect({ code, stderr }).toMatchObject({ code: 0 });
    compilation = await runTool('typescript/bin/tsc', '--project', folder.path);
  });
  afterAll(async () => {
    await folder.remove();
    await demoServer.stop();
  });

  const at = (name: string): string => join(folder.path, name);
  const write = (name: string, content: object): Promise<void> => writeFile(at(name), JSON.stringify(content));

  /** Runs a program that TypeScript compiled. */
  async function run(program: string): Promise<{ calls: string[]; values: object }> {
    const { code, stderr, json } = await runNode([at(`dist/${program}.js`)], {
      MAP_URL: demoServer.server.url,
      ACCESS_TOKEN: await demoServer.issueAccessToken('mila'),
      NARROW_TOKEN: await demoServer.issueAccessToken('mila', ['markers:read']),
      MARKER_ID: buildDemoId('mrk', 10),
      EDIT_ID: buildDemoId('edt', 9),
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return json as { calls: string[]; values: object };
  }

  /** Returns the GET operations that were not called. */
  function listUncalled(calls: string[], paths: ResponseBody = demoServer.document.document.paths): string[] {
    return Object.keys(paths).filter((path) => {
      const address = new RegExp(`^GET ${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '\\w+_\\w+')}$`);
      return paths[path].get && !calls.some((call) => address.test(call));
    });
  }

  it('finds an operation that no program calls', () => {
    const paths = { '/api/markers': { get: {} }, '/api/markers/{id}': { get: {} }, '/api/edits': { post: {} } };
    expect(listUncalled(['GET /api/markers', 'POST /api/markers/mrk_1'], paths)).toEqual(['/api/markers/{id}']);
  });

  it('compile: no response needs a cast or a type guard', () => {
    expect(compilation).toMatchObject({ code: 0, stdout: '' });
  });

  it('do not compile if JSON and GeoJSON share one status', async () => {
    const types = await readFile(at('map-api.ts'), 'utf8');
    const union = `"application/geo+json": components["schemas"]["FeatureCollection"];`;
    const json = '"application/json": components["schemas"]["MarkerPage"];';
    expect(types).toContain(json);
    await writeFile(at('map-api.ts'), types.replace(json, `${json}\n${union}`));
    const { stdout } = await runTool('typescript/bin/tsc', '--project', folder.path, '--noEmit');
    await writeFile(at('map-api.ts'), types);
    expect(stdout).toContain("Property 'data' does not exist on type");
  });

  it('call every GET operation with openapi-fetch', async () => {
    const { calls, values } = await run('openapi-fetch-calls');
    expect(values).toEqual({ ...EXPECTED_VALUES, geoJsonTypes: Array(3).fill('FeatureCollection') });
    expect(listUncalled(calls)).toEqual([]);
  });

  it('call every GET operation with @hey-api/openapi-ts', async () => {
    const { calls, values } = await run('hey-api-calls');
    expect(values).toEqual(EXPECTED_VALUES);
    expect(listUncalled(calls)).toEqual([]);
  });

  it.each(['orval-calls', 'swagger-typescript-api-calls'])('read and write by the program %s', async (program) => {
    const { values } = await run(program);
    expect(values).toEqual({
      title: expect.any(String),
      latitude: expect.any(Number),
      artists: expect.any(Number),
      collection: 'Doors',
      error: 'This app needs the edits:read scope to do that.',
    });
  });
});

/** Returns the configuration of orval: a client by `fetch`, and validators by zod. */
function buildOrvalConfig(baseUrl: string): string {
  const outputs = ['fetch', 'zod'].map((client) => ({
    target: `./orval/${client}.ts`,
    client,
    mode: 'single',
    baseUrl,
  }));
  const entries = outputs.map((output) => [output.client, { input: './openapi.json', output }]);
  return `export default ${JSON.stringify(Object.fromEntries(entries))};`;
}

/** Runs a tool without telemetry. */
function runTool(path: string, ...args: string[]): ReturnType<typeof runNode> {
  const environment = { REDOCLY_TELEMETRY: 'off', DO_NOT_TRACK: '1' };
  return runNode([join(TOOLS_FOLDER, path), ...args], environment, { timeoutMs: TOOL_TIMEOUT_MS });
}
