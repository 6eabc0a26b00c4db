import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Collection } from '../../src/map/collections/collection.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { CollectionsFixture } from '../support/collections-fixture.js';
import { createMarker } from '../support/factories.js';
import type { TestResponse } from '../support/test-server.js';

describe('Collection preconditions', () => {
  let collections: CollectionsFixture;

  beforeAll(async () => {
    collections = await CollectionsFixture.start();
  });
  beforeEach(() => collections.createOwner());
  afterAll(() => collections.server.stop());

  const call = (method: string, path: string, tag: string, body?: unknown): Promise<TestResponse> =>
    collections.server.request(method, `/api/collections/${collections.collectionId}${path}`, {
      token: collections.ownerToken,
      headers: { 'If-Match': tag },
      ...(body !== undefined && { body }),
    });
  const tag = async (): Promise<string> =>
    (await collections.get(`/${collections.collectionId}`, collections.ownerToken)).headers.get('etag')!;

  it('apply a change with If-Match at the version that was read', async () => {
    const work = await createMarker(collections.server);
    expect((await call('POST', '', await tag(), { name: 'Foxes and more' })).status).toBe(200);
    expect((await call('POST', '/items', await tag(), { items: [{ markerId: work.id }] })).status).toBe(200);
    expect((await call('DELETE', `/items?markerIds=${work.id}`, await tag())).status).toBe(204);
    expect((await call('DELETE', '', await tag())).status).toBe(204);
  });

  it('reject a change with If-Match at another version with 412', async () => {
    const old = await tag();
    await collections.post(`/${collections.collectionId}`, { description: 'Changed meanwhile.' });
    const work = await createMarker(collections.server);
    const tries = [
      await call('POST', '', old, { name: 'Mine' }),
      await call('POST', '/items', old, { items: [{ markerId: work.id }] }),
      await call('DELETE', `/items?markerIds=${work.id}`, old),
      await call('DELETE', `/items/${work.id}`, old),
      await call('DELETE', '', old),
      await call('DELETE', '', '"nonsense"'),
      await call(
        'DELETE',
        '',
        old.replace(collections.collectionId, 'col_01ARZ3NDEKTSV4RRFFQ69G5FAV').replace('-1-', '-2-'),
      ),
    ];
    for (const { status, body } of tries)
      expect({ status, code: body.code }).toEqual({ status: 412, code: 'version_changed' });
    expect((await collections.get(`/${collections.collectionId}`, collections.ownerToken)).body).toMatchObject({
      name: 'Foxes',
      version: 2,
      items: [],
    });
  });

  it('apply a change at any version with If-Match: *', async () => {
    expect((await call('POST', '', '*', { name: 'Any' })).status).toBe(200);
  });

  it('remove many artworks in one request, and ignore missing ones', async () => {
    const works = [
      await createMarker(collections.server),
      await createMarker(collections.server),
      await createMarker(collections.server),
    ];
    const [one, two, three] = works.map(({ id }) => id);
    await collections.addItems([one!, two!, three!]);
    expect(
      (await collections.delete(`/${collections.collectionId}/items?markerIds=${one},${three},nonsense`)).status,
    ).toBe(204);
    const { body } = await collections.get(`/${collections.collectionId}`, collections.ownerToken);
    expect(body).toMatchObject({ itemCount: 1, version: 3 });
    expect(body.items.map(({ artwork }: { artwork: { id: string } }) => artwork.id)).toEqual([two]);
  });

  it('keep all items when the request names none', async () => {
    await collections.addItems([(await createMarker(collections.server)).id]);
    expect((await collections.delete(`/${collections.collectionId}/items`)).status).toBe(400);
    expect((await collections.get(`/${collections.collectionId}`, collections.ownerToken)).body.itemCount).toBe(1);
  });

  it('reject a removal by another account', async () => {
    const work = await createMarker(collections.server);
    await collections.addItems([work.id]);
    const path = `/${collections.collectionId}/items?markerIds=${work.id}`;
    expect((await collections.delete(path, collections.otherToken)).status).toBe(404);
    await collections.publish();
    expect((await collections.delete(path, collections.otherToken)).body.reason).toBe('not_owner');
    expect(await collections.listTitles()).toHaveLength(1);
  });

  it('Filters find a collection by its items and its visibility', async () => {
    const work = await createMarker(collections.server);
    await collections.addItems([work.id]);
    const other = (await collections.post('', { name: 'Public', visibility: 'public' })).body.id as string;
    const listIds = async (query: string): Promise<string[]> =>
      (await collections.get(`?${query}`, collections.ownerToken)).body.data.map(({ id }: { id: string }) => id);
    expect(await listIds(`containsMarkerId=${work.id}`)).toEqual([collections.collectionId]);
    expect(await listIds('visibility=public')).toEqual([other]);
    expect(await listIds(`visibility=public&containsMarkerId=${work.id}`)).toEqual([]);
    expect((await collections.get('?visibility=secret', collections.ownerToken)).status).toBe(400);
  });

  it('Filters return only matching collections on every page', async () => {
    const work = await createMarker(collections.server);
    const others = [];
    for (const name of ['Two', 'Three', 'Four']) others.push((await collections.post('', { name })).body.id as string);
    const holding = [collections.collectionId, others[1]!];
    for (const id of holding) await collections.post(`/${id}/items`, { items: [{ markerId: work.id }] });
    const all = { ownerId: collections.owner.id };
    await collections.server.get(TransactionService).run((tx) => tx.update(Collection, all, { updatedAt: new Date() }));
    const matches: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const from: string = cursor && `&cursor=${cursor}`;
      const { body } = await collections.get(`?containsMarkerId=${work.id}&limit=1${from}`, collections.ownerToken);
      matches.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.page.nextCursor as string | null;
    }
    expect(matches.sort()).toEqual(holding.sort());
  });

  it('Cache-Control is public for one minute for a public collection without a token, and otherwise private', async () => {
    await collections.publish();
    const cacheOf = async (token?: string): Promise<string | null> =>
      (await collections.get(`/${collections.collectionId}`, token)).headers.get('cache-control');
    expect(await cacheOf()).toBe('public, max-age=60');
    expect(await cacheOf(collections.ownerToken)).toBe('private, no-cache');
    expect((await collections.get('/col_01ARZ3NDEKTSV4RRFFQ69G5FAV')).headers.get('cache-control')).toBe(
      'private, no-cache',
    );
  });

  it('GeoJSON has the note of each item', async () => {
    const work = await createMarker(collections.server, { location: { lat: 1.5, lon: -2.5 } });
    await collections.post(`/${collections.collectionId}/items`, { items: [{ markerId: work.id, note: 'At night.' }] });
    const { body, headers } = await collections.get(
      `/${collections.collectionId}?format=geojson`,
      collections.ownerToken,
    );
    expect(headers.get('content-type')).toContain('application/geo+json');
    expect(body.features).toMatchObject([
      { id: work.id, geometry: { type: 'Point', coordinates: [-2.5, 1.5] }, properties: { note: 'At night.' } },
    ]);
  });
});
