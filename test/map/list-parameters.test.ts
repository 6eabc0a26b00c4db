import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EditsFixture } from '../support/edits-fixture.js';
import { createMarker } from '../support/factories.js';
import type { TestResponse } from '../support/test-server.js';

describe('List parameters', () => {
  let edits: EditsFixture;

  beforeAll(async () => {
    edits = await EditsFixture.start();
    await createMarker(edits.server, { title: 'Inside', location: { lat: 52, lon: 5 }, tags: ['fox'] });
    await createMarker(edits.server, { title: 'Outside', location: { lat: 10, lon: 5 }, tags: ['owl'] });
  });
  afterAll(() => edits.server.stop());

  const get = (path: string): Promise<TestResponse> =>
    edits.server.request('GET', `/api${path}`, { token: edits.authorToken });
  const titles = async (path: string): Promise<string[]> =>
    ((await get(path)).body.data as { title: string }[]).map(({ title }) => title);

  it('accept repeated values, comma-separated values, and both', async () => {
    for (const bbox of [
      'bbox=4,51,6,53',
      'bbox=4&bbox=51&bbox=6&bbox=53',
      'bbox=4,51&bbox=6,53',
      'bbox=4&bbox=51,6,53',
    ])
      expect({ bbox, titles: await titles(`/markers?${bbox}`) }).toEqual({ bbox, titles: ['Inside'] });
    for (const tags of ['tag=fox,owl', 'tag=fox&tag=owl', 'tag=fox,owl&tag=x'])
      expect({ tags, titles: await titles(`/markers?${tags}`) }).toEqual({ tags, titles: ['Inside', 'Outside'] });
    const { body } = await get('/markers?bbox=4&bbox=51&bbox=6&bbox=53&format=geojson');
    expect(body.bbox).toEqual([4, 51, 6, 53]);
  });

  it('reject a box that is not four numbers', async () => {
    for (const bbox of [
      'bbox=4&bbox=51&bbox=6',
      'bbox=4,51,6,53&bbox=4',
      'bbox=4&bbox=x&bbox=6&bbox=53',
      'bbox=&bbox=',
    ]) {
      const { status, body } = await get(`/markers?${bbox}`);
      expect({ bbox, status, error: body.error }).toEqual({
        bbox,
        status: 400,
        error: 'bbox must be four numbers in degrees, west,south,east,north, with south not above north.',
      });
    }
  });

  it('have at most 20 values, and ids 100', async () => {
    const values = (count: number, prefix: string): string =>
      Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(26, '0')}`).join();
    for (const [path, name, prefix, max] of [
      ['/markers', 'tag', 'x', 20],
      ['/markers', 'regionId', 'reg_', 20],
      ['/markers', 'placeType', 'x', 20],
      ['/markers', 'artistId', 'art_', 20],
      ['/markers/clusters?bbox=0,0,1,1&zoom=1', 'tag', 'x', 20],
      ['/markers', 'ids', 'mrk_', 100],
      ['/artists', 'ids', 'art_', 100],
    ] as const) {
      const query = (count: number): string =>
        `${path}${path.includes('?') ? '&' : '?'}${name}=${values(count, prefix)}`;
      expect({ path, name, status: (await get(query(max))).status }).toEqual({ path, name, status: 200 });
      const { status, body } = await get(query(max + 1));
      expect({ path, name, status, error: body.error }).toEqual({
        path,
        name,
        status: 400,
        error: `${name} must have at most ${max} items.`,
      });
    }
  });
});
