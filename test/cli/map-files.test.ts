import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Cli, CliFixture } from '../support/cli.js';
import { createDatabase } from '../support/database.js';
import { LimitedDisk } from '../support/limited-disk.js';
import { runNode } from '../support/run-command.js';
import { TEST_SETTINGS } from '../support/test-settings.js';
import type { ResponseBody } from '../support/test-server.js';

const RECORD_SEPARATOR = '\x1e';

/** Parses the records of a text sequence; each must begin and end as RFC 8142 says. */
function parseSequence(text: string): ResponseBody[] {
  const records = text.split(RECORD_SEPARATOR);
  expect(records.shift()).toBe('');
  return records.map((record) => {
    expect(record).toMatch(/^\{.*\}\n$/);
    return JSON.parse(record) as unknown;
  });
}

/** Leaves out the members that another map assigns. */
function toContent({ properties, geometry }: ResponseBody): unknown {
  const { version: _, createdAt: __, updatedAt: ___, openEditCount: ____, region: _____, ...rest } = properties;
  const artists = (rest.artists as { name: string }[]).map(({ name }) => name).sort();
  return { geometry, ...rest, artists };
}

/** Returns the contents, in an order that every map has. */
function listContents(features: ResponseBody[]): unknown[] {
  const toKey = ({ geometry, properties }: ResponseBody): string => `${properties.title} ${geometry.coordinates}`;
  return features.toSorted((one, other) => (toKey(one) < toKey(other) ? -1 : 1)).map(toContent);
}

describe('markers export and artists export', () => {
  const fixture = CliFixture.use();
  let artworks: string;
  let artists: string;

  const inFolder = (name: string): string => join(fixture.folder.path, name);
  const listFiles = async (prefix: string): Promise<string[]> =>
    (await readdir(fixture.folder.path)).filter((name) => name.startsWith(prefix));

  it('write every marker and every artist, which another map imports', async () => {
    await fixture.cli.runJson('demo');
    [artworks, artists] = [inFolder('map.geojsonseq'), inFolder('artists.jsonl')];
    const { exported } = await fixture.cli.runJson('markers', 'export', artworks);
    const known = await fixture.cli.runJson('artists', 'export', artists);
    const features = parseSequence(await readFile(artworks, 'utf8'));
    expect(features).toHaveLength(exported as number);
    expect(new Set(features.map(({ properties }) => properties.kind))).toEqual(new Set(['artwork', 'place']));
    expect(features.some(({ properties }) => properties.photos.length > 0)).toBe(true);
    expect(features[0]).not.toHaveProperty('license');

    const database = await createDatabase();
    const other = new Cli(database.url);
    expect(await other.runJson('artists', 'import', artists)).toEqual({
      imported: known.exported,
      existing: 0,
      skipped: 0,
    });
    expect(await other.runJson('markers', 'import', artworks)).toEqual({ imported: exported, skipped: 0 });
    const [again, artistsAgain] = [inFolder('again.geojsonseq'), inFolder('again.jsonl')];
    await other.runJson('markers', 'export', again);
    await other.runJson('artists', 'export', artistsAgain);
    expect(listContents(parseSequence(await readFile(again, 'utf8')))).toEqual(listContents(features));
    const toFields = (lines: string): unknown[] =>
      lines
        .trim()
        .split('\n')
        .map((line) => {
          const { id: _, version: __, createdAt: ___, updatedAt: ____, ...fields } = JSON.parse(line);
          return fields as unknown;
        });
    expect(toFields(await readFile(artistsAgain, 'utf8'))).toEqual(toFields(await readFile(artists, 'utf8')));
    await database.drop();
  });

  it('are imported once: a repeated import adds nothing', async () => {
    expect(await fixture.cli.runJson('artists', 'import', artists)).toMatchObject({ imported: 0, skipped: 0 });
    const first = await fixture.cli.runJson('markers', 'import', artworks);
    expect(await fixture.cli.runJson('markers', 'import', artworks)).toEqual({
      imported: 0,
      skipped: 0,
      before: first.imported,
    });
  });

  it('name license and attribution in the first record, and print to standard output', async () => {
    const environment = { DATABASE_URL: fixture.database.url, MASTER_SECRET: TEST_SETTINGS.MASTER_SECRET };
    const settings = { ...environment, NODE_ENV: 'test', DATA_LICENSE: 'CC0-1.0', ATTRIBUTION: 'By everyone' };
    const { code, stdout, stderr } = await runNode(['dist/src/cli.js', 'markers', 'export', '-'], settings);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [first, second] = parseSequence(stdout);
    expect(first).toMatchObject({ type: 'Feature', license: 'CC0-1.0', attribution: 'By everyone' });
    expect(second).not.toHaveProperty('license');
    const lines = (await runNode(['dist/src/cli.js', 'artists', 'export', '-'], settings)).stdout.split('\n');
    expect(lines[0]).toMatch(/^\{"license":"CC0-1.0","attribution":"By everyone","id":"art_/);
    expect(lines[1]).toMatch(/^\{"id":"art_/);
  });

  it('are read from a pipe too', async () => {
    const importPipe = (file: string): string => {
      const env = { ...process.env, NODE_ENV: 'test', DATABASE_URL: fixture.database.url };
      const options = { encoding: 'utf8', env: { ...env, MASTER_SECRET: TEST_SETTINGS.MASTER_SECRET } } as const;
      const script = `cat ${file} | ${process.execPath} dist/src/cli.js markers import /dev/stdin 2>&1`;
      return execFileSync('sh', ['-c', script], options);
    };
    expect(importPipe(artworks)).toMatch(/^before +\d+$/m);
    const text = '\uFEFF{"type":"FeatureCollection","features":[]}';
    await writeFile(inFolder('empty.json'), text);
    expect(importPipe(inFolder('empty.json'))).toMatch(/^imported +0$/m);
  });

  it('refuse a file that exists, and a folder that is absent', async () => {
    await writeFile(inFolder('mine'), 'precious');
    await fixture.cli.expectFailure(1, /mine already exists/, 'markers', 'export', inFolder('mine'));
    expect(await readFile(inFolder('mine'), 'utf8')).toBe('precious');
    await fixture.cli.expectFailure(1, /There is no folder .*absent/, 'artists', 'export', inFolder('absent/x'));
    await fixture.cli.expectFailure(2, /missing required argument|argument 'file'/i, 'markers', 'export');
  });

  it('leave no file on a full disk, and say so in one sentence', async () => {
    const disk = await LimitedDisk.mount(1);
    const [command, ...prefix] = disk.commandPrefix;
    const program = [process.execPath, resolve('dist/src/cli.js'), 'markers', 'export'];
    const file = join(disk.folder, 'map.geojsonseq');
    await disk.fill();
    const run = (target: string, output = ''): string => {
      const script = `"$@" ${output}; echo "exit $?"; ls -A ${disk.folder}`;
      const env = { ...process.env, NODE_ENV: 'test', DATABASE_URL: fixture.database.url };
      const options = { encoding: 'utf8', env: { ...env, MASTER_SECRET: TEST_SETTINGS.MASTER_SECRET } } as const;
      return execFileSync(command!, [...prefix, 'sh', '-c', script, 'sh', ...program, target], options);
    };
    try {
      const message = 'cannot be written: ENOSPC: no space left on device, write.\nexit 1\nballast\n';
      expect(run(file, '2>&1')).toBe(`The file ${file} ${message}`);
      expect(run('-', `2>&1 >${disk.folder}/out`)).toBe(`Standard output ${message.replace(/ballast/, '$&\nout')}`);
    } finally {
      await disk.unmount();
    }
    expect(await listFiles('map.geojsonseq.')).toEqual([]);
  });
});
