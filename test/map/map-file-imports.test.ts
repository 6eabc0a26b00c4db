import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Artist } from '../../src/map/artists/artist.entity.js';
import { ArtistFilesService } from '../../src/map/artists/artist-files.service.js';
import { MarkersImportService } from '../../src/map/markers/markers-import.service.js';
import { createArtist, issueAccessToken } from '../support/factories.js';
import { type ResponseBody, TestServer } from '../support/test-server.js';

/** Yields a text in small chunks, so that records are in pieces. */
async function* inPieces(text: string): AsyncGenerator<string> {
  const size = text.length > 100_000 ? 64_000 : 17;
  for (let start = 0; start < text.length; start += size) yield await Promise.resolve(text.slice(start, start + size));
}

const toSequence = (records: unknown[]): string =>
  records.map((record) => `\x1e${typeof record === 'string' ? record : JSON.stringify(record)}\n`).join('');

const point = (title: string, properties: object = {}): object => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [1, 2] },
  properties: { title, ...properties },
});

describe('The import of a GeoJSON text sequence', () => {
  let server: TestServer;
  let reasons: string[];

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());

  const importSequence = (text: string, onProgress: (done: number, total: number) => void = () => undefined) => {
    reasons = [];
    const onSkipped = (number: number, reason: string): void => void reasons.push(`${number}: ${reason}`);
    return server.get(MarkersImportService).importSequence(() => inPieces(text), { onProgress, onSkipped });
  };
  const find = async (word: string): Promise<ResponseBody[]> => {
    const token = await issueAccessToken(server, ['markers:read']);
    return (await server.request('GET', `/api/markers?q=${word}&sort=id`, { token })).body.data as ResponseBody[];
  };

  it('continues with the next record after one that is not valid', async () => {
    const records = ['{"type":"Feat', 'null', '[]', point(''), point('Whole'), { type: 'FeatureCollection' }];
    expect(await importSequence(`${toSequence(records)}\x1e{"type":"Feature","geom`)).toEqual({
      imported: 1,
      skipped: 6,
    });
    expect(reasons.map((reason) => reason.replace(/:.*/, ''))).toEqual(['1', '2', '3', '4', '6', '7']);
    expect([reasons[0], reasons[5]]).toEqual(['1: the record must be JSON', '7: the record must be JSON']);
    expect(await find('whole')).toHaveLength(1);
  });

  it('takes records with line breaks, and ignores empty ones', async () => {
    const pretty = JSON.stringify(point('Pretty'), undefined, 2);
    expect(await importSequence(`\x1e\x1e${pretty}\n\x1e \n`)).toEqual({ imported: 1, skipped: 0 });
    expect(await importSequence('')).toEqual({ imported: 0, skipped: 0 });
  });

  it('resumes after an interruption without duplicates and gaps', async () => {
    const text = toSequence(Array.from({ length: 450 }, (_, index) => (index === 3 ? '{' : point(`Half ${index}`))));
    const stop = (done: number, total: number): void => {
      expect(total).toBe(450);
      if (done >= 200) throw new Error('The power went out.');
    };
    await expect(importSequence(text, stop)).rejects.toThrow('The power went out.');
    expect(await importSequence(text)).toEqual({ imported: 250, skipped: 0, before: 200 });
    expect(await importSequence(text)).toEqual({ imported: 0, skipped: 0, before: 450 });
    const token = await issueAccessToken(server, ['markers:read']);
    const { page } = (await server.request('GET', '/api/markers?q=half&count=true', { token })).body;
    expect(page.numberMatched).toBe(449);
  });

  it('finds artists by name, and prefers the id among several', async () => {
    const [first, second] = [await createArtist(server, 'Twin'), await createArtist(server, 'Twin')];
    const by = (...artists: object[]): object => ({ artists });
    await importSequence(
      toSequence([
        point('Named zebra', by({ name: 'Twin' })),
        point('Numbered zebra', by({ id: second.id, name: 'Twin' })),
        point('Doubled zebra', by({ name: 'Twin' }, { id: 'art_01ARZ3NDEKTSV4RRFFQ69G5FAV', name: 'Twin' })),
      ]),
    );
    const artists = (await find('zebra')).map((marker) => marker.artists.map(({ id }: { id: string }) => id));
    expect(artists).toEqual([[first.id], [second.id], [first.id]]);
  });

  it('skips a marker with an unknown artist, and a place with artists', async () => {
    await createArtist(server, 'Known');
    const named = (name: unknown): object => ({ artists: [{ name }] });
    const result = await importSequence(
      toSequence([
        point('Lost', named('Unknown')),
        point('Lost', named(7)),
        point('Lost', { ...named('Known'), kind: 'place', placeType: 'shop' }),
      ]),
    );
    expect(result).toEqual({ imported: 0, skipped: 3 });
    expect(reasons).toEqual([
      '1: artists contains "Unknown", which does not exist. Import the artists first',
      '2: artists must be a list of objects with a name',
      '3: artists must not be set for a place',
    ]);
  });

  it('keeps photos with credit and license', async () => {
    const photos = [
      { url: 'https://a.example/1.jpg', credit: 'Mila', license: 'CC0-1.0', takenAt: '2026-01-02', alt: 'A fox' },
      { url: `https://a.example/${'2'.repeat(600)}`, credit: null, license: null, takenAt: null, alt: null },
    ];
    await importSequence(toSequence([point('Pictured', { photos, imageUrl: photos[0]!.url })]));
    expect((await find('pictured'))[0]).toMatchObject({ photos, imageUrl: photos[0]!.url });
  });

  it('refuses a record that would fill the memory', async () => {
    await expect(importSequence(toSequence([point('x'.repeat(1_000_100))]))).rejects.toThrow('more than 1000000');
  });

  it('of artists counts empty lines in the numbers of lines, and not as skipped', async () => {
    const numbers: number[] = [];
    const result = await server.get(ArtistFilesService).importLines(
      inPieces('\n{"name":"After an empty line"}\n \r\n\n{"name":7}\n'),
      () => undefined,
      (number) => numbers.push(number),
    );
    expect({ result, numbers }).toEqual({ result: { imported: 1, existing: 0, skipped: 1 }, numbers: [5] });
  });

  it('of artists skips invalid lines, and leaves artists with a known name as they are', async () => {
    const known = await createArtist(server, 'Resident');
    const lines = [
      { license: 'CC0-1.0', name: 'Resident', country: 'FI' },
      { name: 'Guest', aliases: ['Visitor'], country: 'fi', links: ['https://guest.example/'], version: 7 },
      { name: 'Guest' },
      { aliases: [] },
      { name: 'Odd', nonsense: 1 },
      [],
    ];
    const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"name":"Cut`;
    const skipped: string[] = [];
    const run = () =>
      server.get(ArtistFilesService).importLines(
        inPieces(text),
        () => undefined,
        (number, reason) => skipped.push(`${number}: ${reason}`),
      );
    expect(await run()).toEqual({ imported: 1, existing: 2, skipped: 4 });
    expect(skipped).toEqual([
      '4: name is missing',
      '5: Unknown field: nonsense',
      '6: the line must be a JSON object',
      '7: the line must be a JSON object',
    ]);
    expect(await run()).toEqual({ imported: 0, existing: 3, skipped: 4 });
    const { entityManager } = server;
    expect(await entityManager.findOneByOrFail(Artist, { id: known.id })).toMatchObject({ country: null, version: 1 });
    const guest = { country: 'FI', aliases: ['Visitor'], links: ['https://guest.example/'], version: 1 };
    expect(await entityManager.findBy(Artist, { name: 'Guest' })).toEqual([expect.objectContaining(guest)]);
  });
});
