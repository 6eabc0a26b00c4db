import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getMetadataStorage } from 'class-validator';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OpenApiDocument } from '../support/openapi-document.js';
import { TestServer } from '../support/test-server.js';

/** Calls that create a detail or a reason from a literal. */
const DETAIL_PATTERN = /\bpath(?:: [^,]+)?,\s*code: '(\w+)'/g;
const REASON_PATTERN = /\bdeny(?:Edit)?Permission\(\s*'(\w+)'|\breason: '([a-z]+_[a-z]+)', requiredScope/g;

describe('docs/errors.md', () => {
  const text = readFileSync('docs/errors.md', 'utf8');
  const sources = readSources();
  let server: TestServer;
  let document: OpenApiDocument['document'];

  beforeAll(async () => {
    server = await TestServer.start();
    ({ document } = await OpenApiDocument.load(server));
  });
  afterAll(() => server.stop());

  it('lists each code of the API', () => {
    const listed = readRows('Codes');
    const declared = [...JSON.stringify(document).matchAll(/"code":"([a-z_]+)"(?!,"message")/g)].map(
      ([, code]) => code!,
    );
    expect([...new Set(declared)].filter((code) => !listed.includes(code))).toEqual([]);
    expect(listed.filter((code) => code !== 'none' && !isInSources(code))).toEqual([]);
  });

  it('lists each reason', () => {
    const listed = readRows('Reasons');
    const declared = sources.flatMap((source) =>
      [...source.matchAll(REASON_PATTERN)].map((found) => found[1] ?? found[2]!),
    );
    expect([...new Set(declared)].filter((reason) => !listed.includes(reason))).toEqual([]);
    expect(listed.filter((reason) => !isInSources(reason))).toEqual([]);
  });

  it('lists the codes of details, and no others', () => {
    const rules = [
      ...(getMetadataStorage()['validationMetadatas' as never] as unknown as Map<
        unknown,
        { name?: string; constraintCls?: unknown }[]
      >),
    ]
      .flatMap(([, all]) => all)
      .filter(({ constraintCls }) => constraintCls !== undefined)
      .map(({ name }) => name!.replace(/[A-Z]+/g, (upper) => `_${upper.toLowerCase()}`));
    const literals = sources.flatMap((source) => [...source.matchAll(DETAIL_PATTERN)].map(([, code]) => code!));
    expect(readRows('Details').sort()).toEqual([...new Set([...rules, ...literals, 'required'])].sort());
  });

  /** Returns the names in the first column of the table of a section. */
  function readRows(title: string): string[] {
    const section = text.split(/^##+ /m).find((one) => one.startsWith(`${title}\n`))!;
    const cells = [...section.matchAll(/^\| (`[^|]*|none) \|/gm)].map(([, cell]) => cell!);
    return [...new Set(cells.flatMap((cell) => cell.replaceAll('`', '').split(', ')))].filter(
      (name) => name !== title.toLowerCase() && name !== 'code' && name !== 'reason',
    );
  }

  function isInSources(name: string): boolean {
    return sources.some((source) => source.includes(`'${name}'`));
  }
});

function readSources(): string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
  return files.map((path) => readFileSync(join('src', path), 'utf8'));
}
