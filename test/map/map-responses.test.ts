import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ArtistsStore, type NewArtist } from '../../src/map/artists/artists.store.js';
import type { Artist } from '../../src/map/artists/artist.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { EditsFixture } from '../support/edits-fixture.js';
import { registerApp, createArtist, createMarker, issueTokens } from '../support/factories.js';
import { MapFixture } from '../support/map-fixture.js';
import { type SearchQuery } from '../support/search-oracle.js';
import type { ResponseBody } from '../support/test-server.js';

const GEOJSON_MEDIA_TYPE = 'application/geo+json';
const UNKNOWN_ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const toIds = (results: ResponseBody[]): string[] => results.map(({ id }) => id as string);

describe('Map responses', () => {
  let map: MapFixture;

  beforeAll(async () => {
    map = await MapFixture.start();
  });
  afterAll(() => map.stop());

  it('return markers by id in the order of the request, and name the unknown ids', async () => {
    const markers = await map.createMarkers(
      ...['i1', 'i2', 'i3'].map((title) => ({ title, location: { lat: 43, lon: 43 } })),
    );
    const [one, two, three] = toIds(markers) as [string, string, string];
    await map.setDeleted(two, true);
    const { body } = await map.search({ ids: [`${three},${two}`, `mrk_${UNKNOWN_ULID}`, 'nonsense', one, three] });
    expect(toIds(body.data)).toEqual([three, one]);
    expect(body.missing).toEqual([two, `mrk_${UNKNOWN_ULID}`, 'nonsense']);
    expect(body.page.nextCursor).toBeNull();
  });

  it('reject ids together with a search', async () => {
    for (const query of [{ status: 'gone' }, { q: 'fox' }, { cursor: 'x' }, { count: true }] as SearchQuery[]) {
      const { status, body } = await map.search({ ids: [`mrk_${UNKNOWN_ULID}`], ...query });
      expect([query, status, body.details]).toMatchObject([query, 400, [{ code: 'not_together' }]]);
    }
    expect((await map.get(`/artists?ids=art_${UNKNOWN_ULID}&q=fox`)).status).toBe(400);
    expect((await map.search({ ids: [`mrk_${UNKNOWN_ULID}`], limit: 1 })).status).toBe(200);
  });

  it('count the matches on request, independent of the page', async () => {
    const location = { lat: 44, lon: 44 };
    await map.createMarkers(...['fox', 'fox', 'owl'].map((title) => ({ title, location })));
    for (const [query, numberMatched] of [
      [{ bbox: '44,44,44,44' }, 3],
      [{ bbox: '44,44,44,44', q: 'fox' }, 2],
      [{ lat: 44, lon: 44, radius: 1, q: 'ow' }, 1],
      [{ bbox: '44,44,44,44', tag: 'none' }, 0],
    ] as [SearchQuery, number][]) {
      const { page } = (await map.search({ ...query, count: true, limit: 1 })).body;
      expect([query, page]).toMatchObject([query, { numberMatched, numberMatchedIsLowerBound: false }]);
      expect((await map.search({ ...query, count: false })).body.page).not.toHaveProperty('numberMatched');
    }
  });

  it('are GeoJSON with format or Accept', async () => {
    const location = { lat: 45.1234567, lon: -45.5 };
    const [one, two] = await map.createMarkers({ title: 'Fox', location, year: 2001 }, { title: 'Owl', location });
    const path = '/markers?bbox=-46,45,-45,46&limit=1&count=true';
    for (const [request, headers] of [
      [`${path}&format=geojson`, {}],
      [path, { Accept: GEOJSON_MEDIA_TYPE }],
      [path, { Accept: `application/json;q=0.5, ${GEOJSON_MEDIA_TYPE}` }],
    ] as const) {
      const { status, headers: parameters, body } = await map.get(request, headers);
      expect([status, parameters.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/^application\/geo\+json\b/),
      ]);
      const { properties, ...feature } = body.features[0];
      const geometry = { type: 'Point', coordinates: [-45.5, 45.1234567] };
      expect(feature).toEqual({ type: 'Feature', id: one!.id, geometry });
      expect(properties).toMatchObject({ title: 'Fox', kind: 'artwork', year: 2001, version: 1 });
      expect(properties).not.toHaveProperty('location');
      const counts = { type: 'FeatureCollection', bbox: [-46, 45, -45, 46], numberReturned: 1, numberMatched: 2 };
      expect(body).toMatchObject(counts);
      const [self, next] = body.links;
      expect(self).toEqual({ rel: 'self', type: GEOJSON_MEDIA_TYPE, href: `https://map.example.org/api${request}` });
      expect(next).toMatchObject({ rel: 'next', type: GEOJSON_MEDIA_TYPE });
      expect(parameters.get('link')).toBe(`<${next.href}>; rel="next"`);
      const last = await map.get((next.href as string).replace('https://map.example.org/api', ''), headers);
      expect(toIds(last.body.features)).toEqual([two!.id]);
      expect(last.body.links.map(({ rel }: ResponseBody) => rel)).toEqual(['self']);
      expect(last.headers.get('link')).toBeNull();
    }
  });

  it('are JSON by default, and reject other formats', async () => {
    for (const Accept of ['*/*', 'application/json', `${GEOJSON_MEDIA_TYPE};q=0.1, application/json`]) {
      const { headers, body } = await map.get('/markers?limit=1', { Accept });
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(Object.keys(body).sort()).toEqual(['data', 'page']);
    }
    expect((await map.get('/markers?format=json', { Accept: GEOJSON_MEDIA_TYPE })).body).toHaveProperty('data');
    expect((await map.get('/markers?format=kml')).status).toBe(400);
  });

  describe('Conditional requests', () => {
    const again = (path: string, tag: string): Promise<{ status: number; body: ResponseBody }> =>
      map.get(path, { 'If-None-Match': tag });

    it('return 304 until something changes, and then another ETag', async () => {
      const marker = await createMarker(map.server, { title: 'Tagged', tags: ['tagged'] });
      for (const path of [`/markers/${marker.id}`, '/markers?tag=tagged', '/markers?tag=tagged&format=geojson']) {
        const { headers } = await map.get(path);
        const tag = headers.get('etag')!;
        expect(tag).toMatch(/^W\/"/);
        expect(headers.get('vary')?.split(', ')).toEqual(expect.arrayContaining(['Authorization', 'Accept', 'Origin']));
        expect(headers.get('cache-control')).toBe('private, no-cache');
        expect([(await map.get(path)).headers.get('etag'), (await again(path, tag)).status]).toEqual([tag, 304]);
        expect((await again(path, tag)).body).toBe('');
        await map.updateMarker(marker.id, { title: `Tagged for ${path}` });
        const changed = await map.get(path);
        expect(changed.headers.get('etag')).not.toBe(tag);
        expect((await again(path, tag)).status).toBe(200);
      }
    });

    it('return the same ETag to all tokens and apps of an account', async () => {
      const edits = await EditsFixture.start();
      await edits.createArtwork();
      const { app } = await registerApp(edits.server);
      const other = await issueTokens(edits.server, { app, account: edits.authorAccount });
      const tokens = [edits.authorToken, await edits.issueAccessToken(edits.authorAccount), other.access_token];
      const tags = await Promise.all(
        tokens.map((token) => edits.server.request('GET', `/api/markers/${edits.artwork.id}`, { token })),
      );
      expect(new Set(tags.map(({ headers }) => headers.get('etag'))).size).toBe(1);
      await edits.server.stop();
    });
  });

  describe('Artists', () => {
    const artist = (fields: NewArtist): Promise<Artist> =>
      map.server.get(TransactionService).run((tx) => map.server.get(ArtistsStore).create(tx, fields));
    const names = async (query: SearchQuery): Promise<string[]> =>
      (await map.searchAllPages({ limit: 1, ...query }, '/artists')).map(({ name }) => name as string);

    it('are found by words of names and aliases, the best match first, by country, and in the requested order', async () => {
      await artist({ name: 'Old Żubr', country: 'PL' });
      await artist({ name: 'Anon', aliases: ['Zubr', 'Łoś'], country: 'DE' });
      await artist({ name: 'Żubrówka', country: 'PL' });
      const zubr = await artist({ name: 'ŻUBR', country: 'FR' });
      expect(await names({ q: 'zubr' })).toEqual(['ŻUBR', 'Żubrówka', 'Old Żubr', 'Anon']);
      expect(await names({ q: 'zubr', sort: 'name' })).toEqual(['Anon', 'Old Żubr', 'ŻUBR', 'Żubrówka']);
      expect(await names({ q: 'zubr', sort: 'updatedAt' })).toHaveLength(4);
      expect(await names({ q: 'zubr', country: 'pl,FR' })).toEqual(['ŻUBR', 'Żubrówka', 'Old Żubr']);
      expect(await names({ q: 'los' })).toEqual(['Anon']);
      expect(await names({ q: 'old zub' })).toEqual(['Old Żubr']);
      expect(await names({ q: 'ubr' })).toEqual([]);
      expect(await names({ country: ['DE', 'FR'] })).toEqual(['Anon', 'ŻUBR']);
      const { body } = await map.get(`/artists?ids=art_${UNKNOWN_ULID},${zubr.id},x`);
      expect([toIds(body.data), body.missing]).toEqual([[zubr.id], [`art_${UNKNOWN_ULID}`, 'x']]);
      for (const bad of ['sort=relevance', 'q=%22', 'country=XX', 'sort=id', 'updatedSince=today']) {
        expect([bad, (await map.get(`/artists?${bad}`)).status]).toEqual([bad, 400]);
      }
      const { nextCursor } = (await map.get('/artists?q=zubr&limit=1')).body.page;
      for (const query of ['q=old', 'q=zubr&sort=name', 'q=zubr&country=PL']) {
        const { status, body: refusal } = await map.get(`/artists?${query}&cursor=${nextCursor}`);
        expect([status, refusal.code]).toEqual([400, 'invalid_cursor']);
      }
    });

    it('return their artworks by status, also as GeoJSON', async () => {
      const { id } = await createArtist(map.server);
      const parameters = { artistIds: [id], location: { lat: 46, lon: 47 } };
      await map.createMarkers(
        { ...parameters, title: 'one' },
        { ...parameters, title: 'two', status: 'gone' },
        { ...parameters, title: 'three' },
      );
      const path = `/artists/${id}/artworks`;
      const listed = async (query: SearchQuery): Promise<string[]> =>
        (await map.searchAllPages({ limit: 1, ...query }, path)).map(({ title }) => title as string);
      expect(await listed({})).toEqual(['one', 'two', 'three']);
      expect(await listed({ status: 'gone' })).toEqual(['two']);
      expect(await listed({ status: 'gone,present' })).toEqual(['one', 'two', 'three']);
      const { headers, body } = await map.get(`${path}?limit=2`, { Accept: GEOJSON_MEDIA_TYPE });
      expect([headers.get('content-type'), body.numberReturned]).toEqual([
        expect.stringContaining(GEOJSON_MEDIA_TYPE),
        2,
      ]);
      expect(body.features[0]).toMatchObject({ geometry: { coordinates: [47, 46] }, properties: { title: 'one' } });
      expect(body.links.map(({ rel }: ResponseBody) => rel)).toEqual(['self', 'next']);
    });
  });
});

describe('Accepted edits', () => {
  let edits: EditsFixture;

  beforeAll(async () => {
    edits = await EditsFixture.start();
    await edits.createArtwork();
  });
  afterAll(() => edits.server.stop());

  const get = (path: string): Promise<{ status: number; body: ResponseBody }> =>
    edits.server.request('GET', `/api${path}`, { token: edits.authorToken });
  const accept = async (edit: Record<string, unknown>): Promise<{ edit: string; target: string }> => {
    const id = await edits.suggestEdit(edit);
    const { status, body } = await edits.post(`/${id}/accept`, edits.moderatorToken, { comment: 'Seen it.' });
    expect(status).toBe(200);
    return { edit: id, target: body.target.id as string };
  };

  it('are in the history of a marker, the newest first, with imports, also after the deletion', async () => {
    const { id } = edits.artwork;
    expect((await get(`/markers/${id}/history`)).body.data).toEqual([]);
    const first = await accept(edits.buildUpdate({ title: 'Echo' }));
    const second = await accept(edits.buildUpdate({ year: 2020 }, await edits.findMarker()));
    const path = `/markers/${id}/history`;
    const { body } = await get(path);
    const author = { id: edits.authorAccount.id, username: edits.authorAccount.username };
    expect(body.data).toMatchObject([
      {
        version: 3,
        action: 'changed',
        editId: second.edit,
        author,
        changes: [{ field: 'year', from: 2019, to: 2020 }],
      },
      {
        ...{ version: 2, action: 'changed', editId: first.edit, author },
        changes: [{ field: 'title', from: 'Echo Wall', to: 'Echo' }],
      },
      { version: 1, action: 'created', editId: null, author: null },
    ]);
    expect(body.data[2].changes).toContainEqual({ field: 'title', from: null, to: 'Echo Wall' });
    const page = (await get(`${path}?limit=2`)).body;
    const { body: last } = await get(`${path}?limit=2&cursor=${page.page.nextCursor}`);
    expect([...page.data, ...last.data]).toEqual(body.data);
    expect(last.page.nextCursor).toBeNull();
    await accept({ ...edits.buildDeletion(), baseVersion: 3 });
    expect((await get(`/markers/${id}`)).status).toBe(410);
    expect((await get(path)).body.data[0]).toMatchObject({ version: 4, action: 'deleted' });
    expect((await get('/markers/mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV/history')).status).toBe(404);
  });

  it('update the artwork counts of artists', async () => {
    const [one, two] = [await createArtist(edits.server), await createArtist(edits.server)];
    const counts = (): Promise<number[]> =>
      Promise.all([one, two].map(async ({ id }) => (await get(`/artists/${id}`)).body.artworkCount as number));
    const changes = { title: 'New', location: { lat: 52.1, lon: 5 }, artistIds: [one.id, two.id] };
    const { target } = await accept({ type: 'create', targetType: 'artwork', changes });
    expect(await counts()).toEqual([1, 1]);
    await accept(edits.buildUpdate({ artistIds: [two.id] }, await edits.findMarker(target)));
    expect(await counts()).toEqual([0, 1]);
    const { version } = await edits.findMarker(target);
    const deletion = await accept({ ...edits.buildDeletion(), targetId: target, baseVersion: version });
    expect(await counts()).toEqual([0, 0]);
    expect((await get(`/artists/${two.id}/artworks`)).body.data).toEqual([]);
    const restored = await edits.post(`/${deletion.edit}/revert`, edits.moderatorToken, {
      comment: 'It is still there.',
    });
    expect(restored.status).toBe(200);
    expect(await counts()).toEqual([0, 1]);
    expect(toIds((await get(`/artists/${two.id}/artworks`)).body.data)).toEqual([target]);
  });

  it('normalize the country of an artist', async () => {
    const changes = { name: 'Lower', country: 'no' };
    const { target } = await accept({ type: 'create', targetType: 'artist', changes });
    for (const country of ['NO', 'no'])
      expect(toIds((await get(`/artists?country=${country}`)).body.data)).toEqual([target]);
  });
});
