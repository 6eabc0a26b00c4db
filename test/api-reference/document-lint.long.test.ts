import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CommandResult, runNode } from '../support/run-command.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import { type ResponseBody, TestServer } from '../support/test-server.js';

/** No telemetry and no check for updates: the linters need no network. */
const OFFLINE_ENVIRONMENT = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** A linter needs 2 to 5 seconds of one core; a busy machine takes much longer. */
const LINT_TIMEOUT_MS = 150_000;
jest.setTimeout(LINT_TIMEOUT_MS + 10_000);

describe('Lint of the OpenAPI document', () => {
  let server: TestServer;
  let folder: TempFolder;
  let document: ResponseBody;

  beforeAll(async () => {
    server = await TestServer.start();
    folder = await createTempFolder();
    ({ body: document } = await server.request('GET', '/api/openapi.json'));
  });
  afterAll(async () => {
    await folder.remove();
    await server.stop();
  });

  /** Returns the rules that Redocly reports, with the rules of `redocly.yaml`. */
  async function lintWithRedocly(linted: ResponseBody): Promise<string[]> {
    const path = await writeDocument(linted);
    const cli = 'test/tools/node_modules/@redocly/cli/bin/cli.js';
    const result = await runNode(
      [cli, 'lint', '--config=test/api-reference/redocly.yaml', '--format=json', path],
      OFFLINE_ENVIRONMENT,
      { timeoutMs: LINT_TIMEOUT_MS },
    );
    const { problems, totals } = parseOutput(result) as ResponseBody;
    expect(totals.ignored).toBe(0);
    return problems.map(({ ruleId }: ResponseBody) => ruleId as string);
  }

  /** Returns the rules that Spectral reports, with the rules of `spectral.yaml`. */
  async function lintWithSpectral(linted: ResponseBody): Promise<string[]> {
    const path = await writeDocument(linted);
    const cli = 'test/tools/node_modules/@stoplight/spectral-cli/dist/index.js';
    const result = await runNode(
      [cli, 'lint', '--ruleset=test/api-reference/spectral.yaml', '--format=json', '--quiet', path],
      OFFLINE_ENVIRONMENT,
      { timeoutMs: LINT_TIMEOUT_MS },
    );
    return (parseOutput(result) as ResponseBody[]).map(({ code }) => code as string);
  }

  async function writeDocument(linted: ResponseBody): Promise<string> {
    const path = join(folder.path, 'openapi.json');
    await writeFile(path, JSON.stringify(linted));
    return path;
  }

  /** Changes a copy of the document. */
  function change(edit: (copy: ResponseBody) => void): ResponseBody {
    const copy = structuredClone(document);
    edit(copy);
    return copy;
  }

  it('fails with Redocly for an operation without a summary', async () => {
    const broken = change(({ paths }) => delete paths['/api/markers'].get.summary);
    expect(await lintWithRedocly(broken)).toEqual(['operation-summary']);
  });

  it('fails with Spectral for a text that is missing or not a sentence', async () => {
    const broken = change(({ paths, components }) => {
      delete components.schemas.Marker.properties.title.description;
      delete paths['/api/markers'].get.parameters[0].description;
      delete paths['/api/markers'].get.responses['400'];
      delete paths['/api/markers'].get.responses['401'];
      paths['/api/artists'].get.summary = 'artists.';
      paths['/api/artists'].get.description = 'which artists';
    });
    expect([...new Set(await lintWithSpectral(broken))].sort()).toEqual([
      'client-error-response',
      'description-style',
      'parameter-description',
      'schema-description',
      'summary-style',
    ]);
  });

  it('finds nothing with Redocly', async () => {
    expect(await lintWithRedocly(document)).toEqual([]);
  });

  it('finds nothing with Spectral', async () => {
    expect(await lintWithSpectral(document)).toEqual([]);
  });
});

/** Parses the report of a linter. @throws Error if the output is not a report */
function parseOutput({ json, stdout, stderr }: CommandResult): unknown {
  if (json === undefined) throw new Error(`The linter failed: ${stderr || stdout}`);
  return json;
}
