import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ArtistsStore } from '../../src/map/artists/artists.store.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { MarkersStore } from '../../src/map/markers/markers.store.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import { createArtist, createMarker, issueAccessToken } from '../support/factories.js';
import { type TestResponse, TestServer } from '../support/test-server.js';

describe('Markers and artists API', () => {
  let server: TestServer;
  let token: string;

  beforeAll(async () => {
    server = await TestServer.start();
    token = await issueAccessToken(server, ['markers:read', 'artists:read']);
    await server.get(RegionsService).findOrCreate('Tavu Point', [179.8, -17, -179.8, -16.6]);
  });
  afterAll(() => server.stop());

  const get = (path: string): Promise<TestResponse> => server.request('GET', `/api${path}`, { token });
  const listTitles = async (path: string): Promise<string[]> => {
    const titles: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await get(`${path}limit=2${cursor}`);
      titles.push(...body.data.map(({ title, name }: { title?: string; name: string }) => title ?? name));
      if (body.page.nextCursor === null) return titles;
      cursor = `&cursor=${body.page.nextCursor}`;
    }
  };
  const deleteMarker = (id: string): Promise<void> =>
    server.get(TransactionService).run(async (tx) => {
      const markers = server.get(MarkersStore);
      await markers.setDeleted(tx, (await markers.findForUpdate(tx, id))!, new Date());
    });

  it('returns an artwork with its region and artists', async () => {
    const [anna, ann] = [await createArtist(server, 'Anna'), await createArtist(server, 'ann')];
    const { id } = await createMarker(server, {
      title: 'Tomorrow 🌊',
      location: { lat: -16.8, lon: -179.9976 },
      artistIds: [anna.id, ann.id],
      year: 2022,
      medium: ['mural'],
    });
    const { status, body } = await get(`/markers/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      kind: 'artwork',
      title: 'Tomorrow 🌊',
      status: 'present',
      location: { lat: -16.8, lon: -179.9976 },
      region: { id: 'reg_tavu-point', name: 'Tavu Point' },
      artists: [
        { id: ann.id, name: 'ann' },
        { id: anna.id, name: 'Anna' },
      ],
      year: 2022,
      medium: ['mural'],
      tags: [],
      placeType: null,
      version: 1,
    });
  });

  it('lists markers of a kind page by page, without deleted ones', async () => {
    for (const title of ['one', 'two', 'three', 'four', 'five']) await createMarker(server, { title });
    await createMarker(server, { title: 'a gallery', placeType: 'gallery' });
    const deleted = await createMarker(server, { title: 'deleted' });
    await deleteMarker(deleted.id);
    const titles = await listTitles('/markers?');
    expect(titles).toEqual(expect.arrayContaining(['one', 'two', 'three', 'four', 'five', 'a gallery']));
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles).not.toContain('deleted');
    expect(await listTitles('/markers?kind=place&')).toEqual(['a gallery']);
    expect(await listTitles('/markers?kind=artwork&')).not.toContain('a gallery');
  });

  it('links the next page, and marks responses as private for caches', async () => {
    await createMarker(server);
    await createMarker(server);
    const { headers, body } = await get('/markers?limit=1&kind=artwork');
    const cursor = encodeURIComponent(body.page.nextCursor as string);
    const next = `https://map.example.org/api/markers?limit=1&kind=artwork&cursor=${cursor}`;
    expect(headers.get('link')).toBe(`<${next}>; rel="next"`);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect((await get('/markers?limit=500')).headers.get('link')).toBeNull();
  });

  it('rejects a cursor with changed values', async () => {
    await createArtist(server);
    await createArtist(server);
    for (const path of ['/markers', '/artists']) {
      const cursor = (await get(`${path}?limit=1`)).body.page.nextCursor as string;
      const [value, id, list] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
      const changed = [
        [typeof value === 'number' ? 'seven' : 7, id, list],
        [null, id, list],
        [value, typeof id === 'number' ? 'seven' : 7, list],
        ['\0', id, list],
        [value, '\0', list],
        [{}, id, list],
      ];
      for (const position of changed) {
        const malformed = Buffer.from(JSON.stringify(position)).toString('base64url');
        const { status, body } = await get(`${path}?limit=1&cursor=${malformed}`);
        expect({ position, status, code: body.code }).toEqual({ position, status: 400, code: 'invalid_cursor' });
      }
    }
  });

  it('rejects a cursor of artists by relevance with changed values', async () => {
    for (const name of ['Artist Rank One', 'Artist Rank Two']) await createArtist(server, name);
    const cursor = (await get('/artists?q=rank&limit=1')).body.page.nextCursor as string;
    const [rank, name, id, list] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const changed = [
      ...['x', 1.5, 2 ** 31, 1e300, null].map((value) => [value, name, id, list]),
      ...['\0', 7, null].flatMap((value) => [
        [rank, value, id, list],
        [rank, name, value, list],
      ]),
    ];
    for (const position of changed) {
      const malformed = Buffer.from(JSON.stringify(position)).toString('base64url');
      const { status, body } = await get(`/artists?q=rank&limit=1&cursor=${malformed}`);
      expect({ position, status, code: body.code }).toEqual({ position, status: 400, code: 'invalid_cursor' });
    }
  });

  it('sorts artists by name, independent of diacritics and case', async () => {
    for (const name of ['Özge', 'omar', 'Oswald', 'Émile', 'Zed', 'zed']) await createArtist(server, name);
    const names = (await listTitles('/artists?')).filter((name) => !/^(Anna|ann|Artist)/.test(name));
    expect(names.map((name) => name.toLowerCase())).toEqual(['émile', 'omar', 'oswald', 'özge', 'zed', 'zed']);
  });

  it('lists the artworks of an artist with all their artists, without deleted ones', async () => {
    const [one, other] = [await createArtist(server, 'One'), await createArtist(server, 'Other')];
    await createMarker(server, { title: 'together', artistIds: [one.id, other.id] });
    await createMarker(server, { title: 'alone', artistIds: [one.id] });
    await createMarker(server, { title: 'later', artistIds: [one.id] });
    await createMarker(server, { title: 'not theirs', artistIds: [other.id] });
    await deleteMarker((await createMarker(server, { title: 'gone', artistIds: [one.id] })).id);
    expect(await listTitles(`/artists/${one.id}/artworks?`)).toEqual(['together', 'alone', 'later']);
    const { body } = await get(`/artists/${one.id}/artworks`);
    const together = body.data.find(({ title }: { title: string }) => title === 'together');
    expect(together.artists.map(({ name }: { name: string }) => name)).toEqual(['One', 'Other']);
  });

  it('returns 410 for a deleted marker, and 404 for an unknown one', async () => {
    const marker = await createMarker(server);
    await deleteMarker(marker.id);
    const artist = await createArtist(server);
    const artists = server.get(ArtistsStore);
    await server.get(TransactionService).run((tx) => artists.setDeleted(tx, artist, new Date()));
    for (const path of [`/markers/${marker.id}`, `/artists/${artist.id}`, `/artists/${artist.id}/artworks`]) {
      const { status, body } = await get(path);
      expect({ path, status, code: body.code }).toEqual({ path, status: 410, code: 'gone' });
    }
    for (const path of [
      '/markers/mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV',
      '/artists/art_01ARZ3NDEKTSV4RRFFQ69G5FAV',
      '/artists/mine/artworks',
    ]) {
      const { status, body } = await get(path);
      expect({ path, status, code: body.code }).toEqual({ path, status: 404, code: 'not_found' });
    }
  });
});
