import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ArtistsStore } from '../../src/artists/artists-store.js';
import { Transactions } from '../../src/database/transactions.js';
import { MarkersStore } from '../../src/markers/markers-store.js';
import { RegionsService } from '../../src/markers/regions.service.js';
import { newArtist, newMarker, newToken } from '../support/factories.js';
import { type Answer, Service } from '../support/service.js';

describe('The Markers and Artists APIs', () => {
  let service: Service;
  let token: string;

  beforeAll(async () => {
    service = await Service.start();
    token = await newToken(service, ['markers:read', 'artists:read']);
    await service.get(RegionsService).create('Tavu Point', [179.8, -17, -179.8, -16.6]);
  });
  afterAll(() => service.stop());

  const get = (path: string): Promise<Answer> => service.call('GET', `/api${path}`, { token });
  const titlesOf = async (path: string): Promise<string[]> => {
    const titles: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await get(`${path}limit=2${cursor}`);
      titles.push(...body.data.map(({ title, name }: { title?: string; name: string }) => title ?? name));
      if (body.page.nextCursor === null) return titles;
      cursor = `&cursor=${body.page.nextCursor}`;
    }
  };
  const deleteMarker = (id: string): Promise<void> =>
    service.get(Transactions).run(async (tx) => {
      const markers = service.get(MarkersStore);
      await markers.setDeleted(tx, (await markers.hold(tx, id))!, new Date());
    });

  it('looks up an artwork with its region and artists', async () => {
    const [anna, ann] = [await newArtist(service, 'Anna'), await newArtist(service, 'ann')];
    const { id } = await newMarker(service, {
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

  it('lists markers a page at a time, each once, of one kind where asked, the deleted left out', async () => {
    for (const title of ['one', 'two', 'three', 'four', 'five']) await newMarker(service, { title });
    await newMarker(service, { title: 'a gallery', placeType: 'gallery' });
    const deleted = await newMarker(service, { title: 'deleted' });
    await deleteMarker(deleted.id);
    const titles = await titlesOf('/markers?');
    expect(titles).toEqual(expect.arrayContaining(['one', 'two', 'three', 'four', 'five', 'a gallery']));
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles).not.toContain('deleted');
    expect(await titlesOf('/markers?kind=place&')).toEqual(['a gallery']);
    expect(await titlesOf('/markers?kind=artwork&')).not.toContain('a gallery');
  });

  it('leads from page to page by a link, and keeps answers from shared caches', async () => {
    await newMarker(service);
    await newMarker(service);
    const { headers, body } = await get('/markers?limit=1&kind=artwork');
    const cursor = encodeURIComponent(body.page.nextCursor as string);
    const next = `https://map.example.org/api/markers?limit=1&kind=artwork&cursor=${cursor}`;
    expect(headers.get('link')).toBe(`<${next}>; rel="next"`);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect((await get('/markers?limit=500')).headers.get('link')).toBeNull();
  });

  it('refuses a cursor of its own whose values were changed', async () => {
    await newArtist(service);
    await newArtist(service);
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
        const spoiled = Buffer.from(JSON.stringify(position)).toString('base64url');
        const { status, body } = await get(`${path}?limit=1&cursor=${spoiled}`);
        expect({ position, status, code: body.code }).toEqual({ position, status: 400, code: 'invalid_cursor' });
      }
    }
  });

  it('lists artists by name, whatever their marks and case', async () => {
    for (const name of ['Özge', 'omar', 'Oswald', 'Émile', 'Zed', 'zed']) await newArtist(service, name);
    const names = (await titlesOf('/artists?')).filter((name) => !/^(Anna|ann|Artist)/.test(name));
    expect(names.map((name) => name.toLowerCase())).toEqual(['émile', 'omar', 'oswald', 'özge', 'zed', 'zed']);
  });

  it("lists an artist's artworks, with all artists of each, the deleted left out", async () => {
    const [one, other] = [await newArtist(service, 'One'), await newArtist(service, 'Other')];
    await newMarker(service, { title: 'together', artistIds: [one.id, other.id] });
    await newMarker(service, { title: 'alone', artistIds: [one.id] });
    await newMarker(service, { title: 'later', artistIds: [one.id] });
    await newMarker(service, { title: 'not theirs', artistIds: [other.id] });
    await deleteMarker((await newMarker(service, { title: 'gone', artistIds: [one.id] })).id);
    expect(await titlesOf(`/artists/${one.id}/artworks?`)).toEqual(['together', 'alone', 'later']);
    const { body } = await get(`/artists/${one.id}/artworks`);
    const together = body.data.find(({ title }: { title: string }) => title === 'together');
    expect(together.artists.map(({ name }: { name: string }) => name)).toEqual(['One', 'Other']);
  });

  it('answers 410 for what was deleted, and 404 for what never was', async () => {
    const marker = await newMarker(service);
    await deleteMarker(marker.id);
    const artist = await newArtist(service);
    const artists = service.get(ArtistsStore);
    await service.get(Transactions).run((tx) => artists.setDeleted(tx, artist, new Date()));
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
