import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Collection } from '../../src/map/collections/collection.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { CollectionsFixture } from '../support/collections-fixture.js';
import { createMarker } from '../support/factories.js';
import type { TestResponse } from '../support/test-server.js';

describe('A collection that others may be changing', () => {
  let lists: CollectionsFixture;

  beforeAll(async () => {
    lists = await CollectionsFixture.start();
  });
  beforeEach(() => lists.createOwner());
  afterAll(() => lists.server.stop());

  const call = (method: string, path: string, tag: string, body?: unknown): Promise<TestResponse> =>
    lists.server.request(method, `/api/collections/${lists.collectionId}${path}`, {
      token: lists.ownerToken,
      headers: { 'If-Match': tag },
      ...(body !== undefined && { body }),
    });
  const tag = async (): Promise<string> =>
    (await lists.get(`/${lists.collectionId}`, lists.ownerToken)).headers.get('etag')!;

  it('is changed, filled and deleted by If-Match at the version that was read', async () => {
    const work = await createMarker(lists.server);
    expect((await call('POST', '', await tag(), { name: 'Foxes and more' })).status).toBe(200);
    expect((await call('POST', '/items', await tag(), { items: [{ markerId: work.id }] })).status).toBe(200);
    expect((await call('DELETE', `/items?markerIds=${work.id}`, await tag())).status).toBe(204);
    expect((await call('DELETE', '', await tag())).status).toBe(204);
  });

  it('is left as it is, with 412, where it has another version', async () => {
    const old = await tag();
    await lists.post(`/${lists.collectionId}`, { description: 'Changed meanwhile.' });
    const work = await createMarker(lists.server);
    const tries = [
      await call('POST', '', old, { name: 'Mine' }),
      await call('POST', '/items', old, { items: [{ markerId: work.id }] }),
      await call('DELETE', `/items?markerIds=${work.id}`, old),
      await call('DELETE', `/items/${work.id}`, old),
      await call('DELETE', '', old),
      await call('DELETE', '', '"nonsense"'),
      await call('DELETE', '', old.replace(lists.collectionId, 'col_01ARZ3NDEKTSV4RRFFQ69G5FAV').replace('-1-', '-2-')),
    ];
    for (const { status, body } of tries)
      expect({ status, code: body.code }).toEqual({ status: 412, code: 'version_changed' });
    expect((await lists.get(`/${lists.collectionId}`, lists.ownerToken)).body).toMatchObject({
      name: 'Foxes',
      version: 2,
      items: [],
    });
  });

  it('is changed at any version by If-Match: *', async () => {
    expect((await call('POST', '', '*', { name: 'Any' })).status).toBe(200);
  });

  it('loses many artworks at once, and minds none that is not there', async () => {
    const works = [
      await createMarker(lists.server),
      await createMarker(lists.server),
      await createMarker(lists.server),
    ];
    const [one, two, three] = works.map(({ id }) => id);
    await lists.addItems([one!, two!, three!]);
    expect((await lists.delete(`/${lists.collectionId}/items?markerIds=${one},${three},nonsense`)).status).toBe(204);
    const { body } = await lists.get(`/${lists.collectionId}`, lists.ownerToken);
    expect(body).toMatchObject({ itemCount: 1, version: 3 });
    expect(body.items.map(({ artwork }: { artwork: { id: string } }) => artwork.id)).toEqual([two]);
  });

  it('loses nothing where it is not said what', async () => {
    await lists.addItems([(await createMarker(lists.server)).id]);
    expect((await lists.delete(`/${lists.collectionId}/items`)).status).toBe(400);
    expect((await lists.get(`/${lists.collectionId}`, lists.ownerToken)).body.itemCount).toBe(1);
  });

  it("loses nothing by a stranger's hand", async () => {
    const work = await createMarker(lists.server);
    await lists.addItems([work.id]);
    const path = `/${lists.collectionId}/items?markerIds=${work.id}`;
    expect((await lists.delete(path, lists.otherToken)).status).toBe(404);
    await lists.publish();
    expect((await lists.delete(path, lists.otherToken)).body.reason).toBe('not_owner');
    expect(await lists.listTitles()).toHaveLength(1);
  });

  it('is found among others by what it holds and who may see it', async () => {
    const work = await createMarker(lists.server);
    await lists.addItems([work.id]);
    const other = (await lists.post('', { name: 'Public', visibility: 'public' })).body.id as string;
    const idsOf = async (query: string): Promise<string[]> =>
      (await lists.get(`?${query}`, lists.ownerToken)).body.data.map(({ id }: { id: string }) => id);
    expect(await idsOf(`containsMarkerId=${work.id}`)).toEqual([lists.collectionId]);
    expect(await idsOf('visibility=public')).toEqual([other]);
    expect(await idsOf(`visibility=public&containsMarkerId=${work.id}`)).toEqual([]);
    expect((await lists.get('?visibility=secret', lists.ownerToken)).status).toBe(400);
  });

  it('is found page by page, and none that holds something else beside it', async () => {
    const work = await createMarker(lists.server);
    const others = [];
    for (const name of ['Two', 'Three', 'Four']) others.push((await lists.post('', { name })).body.id as string);
    const holding = [lists.collectionId, others[1]!];
    for (const id of holding) await lists.post(`/${id}/items`, { items: [{ markerId: work.id }] });
    const all = { ownerId: lists.owner.id };
    await lists.server.get(TransactionService).run((tx) => tx.update(Collection, all, { updatedAt: new Date() }));
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const from: string = cursor && `&cursor=${cursor}`;
      const { body } = await lists.get(`?containsMarkerId=${work.id}&limit=1${from}`, lists.ownerToken);
      found.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.page.nextCursor as string | null;
    }
    expect(found.sort()).toEqual(holding.sort());
  });

  it('may be kept by anyone for a minute where it is public and asked for without a token, and by nobody else', async () => {
    await lists.publish();
    const cacheOf = async (token?: string): Promise<string | null> =>
      (await lists.get(`/${lists.collectionId}`, token)).headers.get('cache-control');
    expect(await cacheOf()).toBe('public, max-age=60');
    expect(await cacheOf(lists.ownerToken)).toBe('private, no-cache');
    expect((await lists.get('/col_01ARZ3NDEKTSV4RRFFQ69G5FAV')).headers.get('cache-control')).toBe('private, no-cache');
  });

  it('comes as GeoJSON, its notes beside each artwork', async () => {
    const work = await createMarker(lists.server, { location: { lat: 1.5, lon: -2.5 } });
    await lists.post(`/${lists.collectionId}/items`, { items: [{ markerId: work.id, note: 'At night.' }] });
    const { body, headers } = await lists.get(`/${lists.collectionId}?format=geojson`, lists.ownerToken);
    expect(headers.get('content-type')).toContain('application/geo+json');
    expect(body.features).toMatchObject([
      { id: work.id, geometry: { type: 'Point', coordinates: [-2.5, 1.5] }, properties: { note: 'At night.' } },
    ]);
  });
});
