import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createArtist } from '../support/factories.js';
import { MapFixture } from '../support/map-fixture.js';
import type { ResponseBody } from '../support/test-server.js';

describe('The parameter fields', () => {
  let map: MapFixture;
  let artistId: string;
  let markerIds: string[];

  beforeAll(async () => {
    map = await MapFixture.start();
    artistId = (await createArtist(map.server)).id;
    await createArtist(map.server);
    const at = (title: string, lat: number) => ({ title, artistIds: [artistId], location: { lat, lon: 5 } });
    markerIds = (await map.createMarkers(at('One', 52), at('Two', 52.001), at('Three', 52.002))).map(({ id }) => id);
  });
  afterAll(() => map.stop());

  const fetchData = async (path: string): Promise<ResponseBody> => {
    const { status, body } = await map.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    return body.data;
  };

  it('leaves only these members in lists', async () => {
    expect(await fetchData('/markers?fields=title,id&limit=2')).toEqual([
      { id: markerIds[0], title: 'One' },
      { id: markerIds[1], title: 'Two' },
    ]);
    expect(await fetchData('/markers?fields=title&fields=location&limit=1')).toEqual([
      { title: 'One', location: { lat: 52, lon: 5 } },
    ]);
    expect(await fetchData('/markers?lat=52&lon=5&radius=10&fields=title,distanceMeters')).toEqual([
      { title: 'One', distanceMeters: 0 },
    ]);
    expect(await fetchData('/markers?q=one&fields=artists')).toEqual([
      { artists: [{ id: artistId, name: expect.any(String) }] },
    ]);
    expect(await fetchData('/artists?limit=1&fields=artworkCount')).toHaveLength(1);
    expect((await fetchData(`/artists?ids=${artistId}&fields=artworkCount`)) as object[]).toEqual([
      { artworkCount: 3 },
    ]);
    const { body } = await map.get(`/markers?ids=${markerIds[2]!},mrk_x&fields=title`);
    expect([body.data, body.missing]).toEqual([[{ title: 'Three' }], ['mrk_x']]);
  });

  it('leaves only these members in single reads, and changes the entity tag', async () => {
    const all = await map.get(`/markers/${markerIds[0]!}`);
    const some = await map.get(`/markers/${markerIds[0]!}?fields=id,version,title`);
    expect(some.body).toEqual({ id: markerIds[0], version: 1, title: 'One' });
    expect(some.headers.get('etag')).not.toBe(all.headers.get('etag'));
    const conditional = { 'If-None-Match': some.headers.get('etag')! };
    expect((await map.get(`/markers/${markerIds[0]!}?fields=id,version,title`, conditional)).status).toBe(304);
    expect((await map.get(`/markers/${markerIds[0]!}`, conditional)).status).toBe(200);
    expect((await map.get(`/artists/${artistId}?fields=artworkCount`)).body).toEqual({ artworkCount: 3 });
  });

  it('accepts all members of a response', async () => {
    for (const path of [`/markers/${markerIds[0]!}`, `/artists/${artistId}`]) {
      const { body } = await map.get(path);
      const selected = await map.get(`${path}?fields=${Object.keys(body as object).join()}`);
      expect(selected.body).toEqual(body);
    }
  });

  it('stays in the link to the next page, and may change between pages', async () => {
    for (const path of [
      '/markers?limit=1&fields=title',
      '/artists?limit=1&fields=name',
      '/artists?limit=1&fields=name&q=artist',
    ]) {
      const { body, headers } = await map.get(path);
      const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get('link')!)!;
      expect(new URL(next!).searchParams.get('fields')).toBe(path.includes('title') ? 'title' : 'name');
      const other = path.replace(/fields=\w+/, 'fields=version');
      const { status, body: second } = await map.get(`${other}&cursor=${body.page.nextCursor as string}`);
      expect([status, Object.keys(second.data[0] as object)]).toEqual([200, ['version']]);
    }
  });

  it('applies to features: location is the geometry, and id the id', async () => {
    const fetchFeature = async (fields: string): Promise<ResponseBody> => {
      const { body } = await map.get(`/markers?format=geojson&limit=1&fields=${fields}`);
      return body.features[0];
    };
    expect(await fetchFeature('id,title,location')).toEqual({
      type: 'Feature',
      id: markerIds[0],
      geometry: { type: 'Point', coordinates: [5, 52] },
      properties: { title: 'One' },
    });
    expect(await fetchFeature('title')).toEqual({ type: 'Feature', geometry: null, properties: { title: 'One' } });
  });

  it('applies to the records of the feeds of changes', async () => {
    const { data: markers, page } = (await map.get('/markers/changes?fields=title,version')).body;
    expect(Object.keys(markers[0] as object).sort()).toEqual(['change', 'id', 'marker', 'updatedAt', 'version']);
    expect(markers[0].marker).toEqual({ title: 'One', version: 1 });
    expect(page).toHaveProperty('nextSince');
    const { data: artists } = (await map.get('/artists/changes?fields=name')).body;
    expect(Object.keys(artists[0].artist as object)).toEqual(['name']);
  });

  it('rejects unknown and empty names, and names the known ones', async () => {
    const feeds = ['/markers/changes', '/artists/changes'];
    const paths = ['/markers', `/markers/${markerIds[0]!}`, '/artists', `/artists/${artistId}`, ...feeds];
    for (const path of paths) {
      for (const fields of ['', 'id,', 'x', 'ID', 'id, version', 'location.lat', '__proto__', 'latE7', 'deletedAt']) {
        const { status, body } = await map.get(`${path}?${new URLSearchParams({ fields }).toString()}`);
        expect({ path, fields, status, code: body.code }).toEqual({
          path,
          fields,
          status: 400,
          code: 'invalid_request',
        });
        expect(body.error).toMatch(/^fields must be one of: id, .*updatedAt/);
      }
    }
    expect((await map.get('/markers?fields=name')).status).toBe(400);
    expect((await map.get('/markers/changes?fields=openEditCount')).status).toBe(400);
    expect((await map.get('/artists?fields=title')).status).toBe(400);
    expect((await map.get(`/markers/${markerIds[0]!}/history?fields=version`)).status).toBe(400);
    expect((await map.get(`/markers/${markerIds[0]!}?limit=1`)).body.error).toBe('Unknown parameter: limit.');
    expect((await map.get('/markers/x?fields=x')).status).toBe(400);
  });
});
