import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DemoService } from '../../src/app/demo/demo.service.js';
import { PublicExportService } from '../../src/app/home/public-export.service.js';
import { Cli } from '../support/cli.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { runTool } from '../support/deploy-tools.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import { type ResponseBody, TestServer } from '../support/test-server.js';

const ARTWORKS = 'artworks.geojsonseq';
const ARTISTS = 'artists.jsonl';

/** Title, place and artists of features, sorted. */
function listArtworks(features: ResponseBody[]): unknown[] {
  return features
    .map(({ geometry, properties: { title, artists, photos } }) => ({
      title,
      coordinates: geometry.coordinates,
      artists: (artists as { name: string }[]).map(({ name }) => name).sort(),
      photos,
    }))
    .sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
}

function parseSequence(text: string): ResponseBody[] {
  return text
    .split('\x1e')
    .slice(1)
    .map((record) => JSON.parse(record));
}

describe('A user of the data', () => {
  let server: TestServer;
  let folder: TempFolder;
  let other: TestDatabase;

  beforeAll(async () => {
    folder = await createTempFolder();
    other = await createDatabase();
    server = await TestServer.start({
      PUBLIC_EXPORT: 'on',
      DATA_LICENSE: 'ODbL-1.0',
      ATTRIBUTION: '© the people of the street art map',
    });
    await server.get(DemoService).load();
    await server.get(PublicExportService).writeDue();
  });
  afterAll(async () => {
    await server.stop();
    await other.drop();
    await folder.remove();
  });

  const read = (name: string): Promise<string> => readFile(join(folder.path, name), 'utf8');

  it('finds the license before the data', async () => {
    const { body } = await server.request('GET', '/api/openapi.json');
    expect(body.info.license).toEqual({ name: 'ODbL-1.0', identifier: 'ODbL-1.0' });
    const page = await (await fetch(server.url)).text();
    expect(page).toContain('https://spdx.org/licenses/ODbL-1.0.html');
  });

  it.each([ARTWORKS, ARTISTS])('downloads %s without an account', async (name) => {
    const response = await fetch(`${server.url}/export/${name}`);
    expect([response.status, response.headers.get('link')]).toEqual([
      200,
      '<https://spdx.org/licenses/ODbL-1.0.html>; rel="license"',
    ]);
    const text = await response.text();
    expect(text).toContain('"license":"ODbL-1.0"');
    await writeFile(join(folder.path, name), text);
  });

  it('reads the artworks with ogr2ogr', async () => {
    await runTool('ogr2ogr', '-f', 'GeoJSON', join(folder.path, 'map.json'), join(folder.path, ARTWORKS));
    const converted = JSON.parse(await read('map.json'));
    const toTitles = (features: ResponseBody[]): unknown[] => features.map(({ properties }) => properties.title).sort();
    const features = parseSequence(await read(ARTWORKS));
    expect(features.length).toBeGreaterThan(50);
    expect(toTitles(converted.features)).toEqual(toTitles(features));
  });

  it('imports both files into another map, which has the same artworks then', async () => {
    const cli = new Cli(other.url);
    await cli.runJson('artists', 'import', join(folder.path, ARTISTS));
    expect(await cli.runJson('markers', 'import', join(folder.path, ARTWORKS))).toMatchObject({ skipped: 0 });
    await cli.runJson('markers', 'export', join(folder.path, 'again'));
    const again = parseSequence(await read('again'));
    expect(listArtworks(again)).toEqual(listArtworks(parseSequence(await read(ARTWORKS))));
  });
});
