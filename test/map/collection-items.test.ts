import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { MarkersStore } from '../../src/map/markers/markers.store.js';
import type { Marker } from '../../src/map/markers/marker.entity.js';
import { CollectionsFixture } from '../support/collections-fixture.js';
import { createMarker } from '../support/factories.js';

const UNKNOWN_MARKER_ID = 'mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('Items of a collection', () => {
  let collections: CollectionsFixture;

  beforeAll(async () => {
    collections = await CollectionsFixture.start();
  });
  beforeEach(() => collections.createOwner());
  afterAll(() => collections.server.stop());

  it('are returned in the order in which they were added, page by page', async () => {
    const works = await Promise.all(
      ['A', 'B', 'C', 'D', 'E'].map((title) => createMarker(collections.server, { title })),
    );
    await collections.addItems([works[2]!.id, works[0]!.id]);
    await collections.addItems([works[4]!.id, works[2]!.id, works[1]!.id, works[3]!.id]);
    expect(await collections.listTitles()).toEqual(['C', 'A', 'E', 'B', 'D']);
    const first = (await collections.get(`/${collections.collectionId}?limit=3`, collections.ownerToken)).body;
    expect(first).toMatchObject({ itemCount: 5, page: { limit: 3 } });
    const second = (
      await collections.get(
        `/${collections.collectionId}?limit=3&cursor=${first.page.nextCursor}`,
        collections.ownerToken,
      )
    ).body;
    expect(second.items.map(({ artwork }: { artwork: { title: string } }) => artwork.title)).toEqual(['B', 'D']);
    expect(second.page.nextCursor).toBeNull();
  });

  it('are added in one request, which skips duplicates and names unknown ids', async () => {
    const [one, two] = [await createMarker(collections.server), await createMarker(collections.server)];
    const { status, body } = await collections.addItems([
      one.id,
      two.id,
      one.id,
      UNKNOWN_MARKER_ID,
      'nonsense',
      UNKNOWN_MARKER_ID,
    ]);
    expect(status).toBe(200);
    expect(body).toEqual({
      notFound: [UNKNOWN_MARKER_ID, 'nonsense'],
      collection: { id: collections.collectionId, version: 2 },
    });
    expect((await collections.addItems([one.id])).body.notFound).toEqual([]);
    expect((await collections.get(`/${collections.collectionId}`, collections.ownerToken)).body.itemCount).toBe(2);
  });

  it('are all stored when requests are concurrent', async () => {
    const works = await Promise.all(Array.from({ length: 12 }, () => createMarker(collections.server)));
    const responses = await Promise.all(works.map((work) => collections.addItems([work.id])));
    expect(responses.map(({ status }) => status)).toEqual(works.map(() => 200));
    expect((await collections.get(`/${collections.collectionId}`, collections.ownerToken)).body).toMatchObject({
      itemCount: 12,
      version: 13,
    });
    expect(await collections.listTitles()).toHaveLength(12);
  });

  it('reject a cursor with a changed position', async () => {
    await collections.addItems([
      (await createMarker(collections.server)).id,
      (await createMarker(collections.server)).id,
    ]);
    const cursor = (await collections.get(`/${collections.collectionId}?limit=1`, collections.ownerToken)).body.page
      .nextCursor as string;
    const [, markerId, list] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    for (const position of ['1', 1.5, 2 ** 31, -(2 ** 53), null]) {
      const malformed = Buffer.from(JSON.stringify([position, markerId, list])).toString('base64url');
      expect(
        (await collections.get(`/${collections.collectionId}?limit=1&cursor=${malformed}`, collections.ownerToken)).body
          .code,
      ).toBe('invalid_cursor');
    }
  });

  it('are limited to 1000 artworks', async () => {
    const parameters = Array.from({ length: 1001 }, (_, index) => ({
      title: `Work ${index}`,
      location: { lat: 1, lon: 1 },
    }));
    const markers = collections.server.get(MarkersStore);
    const works = (
      await collections.server.get(TransactionService).run((tx) => markers.createMany(tx, parameters))
    ).map(({ id }) => id);
    for (let position = 0; position < 1000; position += 100)
      expect((await collections.addItems(works.slice(position, position + 100))).status).toBe(200);
    const { status, body } = await collections.addItems([works[1000]!]);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'limit_reached' });
    expect((await collections.addItems(works.slice(0, 100))).status).toBe(200);
  });

  it('belong to at most 200 collections per account', async () => {
    for (let index = 1; index < 200; index++)
      expect((await collections.post('', { name: `List ${index}` })).status).toBe(201);
    const { status, body } = await collections.post('', { name: 'One too many' });
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'limit_reached' });
  });

  it('do not change the version when nothing changes', async () => {
    expect((await collections.post(`/${collections.collectionId}`, {})).body).toMatchObject({
      id: collections.collectionId,
      version: 1,
    });
  });

  it('omit deleted artworks', async () => {
    const [work, other] = [
      await createMarker(collections.server, { title: 'Kept' }),
      await createMarker(collections.server, { title: 'Deleted' }),
    ];
    await collections.addItems([work.id, other.id]);
    const markers = collections.server.get(MarkersStore);
    await collections.server
      .get(TransactionService)
      .run(async (tx) => markers.setDeleted(tx, (await markers.findForUpdate(tx, other.id))!, new Date()));
    expect(await collections.listTitles()).toEqual(['Kept']);
  });

  it('reject a place together with the other items of the request', async () => {
    const [work, place] = [
      await createMarker(collections.server),
      await createMarker(collections.server, { placeType: 'gallery' }),
    ];
    const { status, body } = await collections.addItems([work.id, place.id]);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'not_an_artwork' });
    expect(await collections.listTitles()).toEqual([]);
  });

  it('reject an empty request and a request with more than 100 items', async () => {
    for (const items of [[], Array.from({ length: 101 }, () => ({ markerId: UNKNOWN_MARKER_ID }))]) {
      expect((await collections.post(`/${collections.collectionId}/items`, { items })).status).toBe(400);
    }
  });

  it('are removed, also when they are not there', async () => {
    const work = await createMarker(collections.server);
    await collections.addItems([work.id]);
    for (const markerId of [work.id, work.id, UNKNOWN_MARKER_ID, 'nonsense']) {
      expect((await collections.delete(`/${collections.collectionId}/items/${markerId}`)).status).toBe(204);
    }
    expect((await collections.get(`/${collections.collectionId}`, collections.ownerToken)).body).toMatchObject({
      itemCount: 0,
      items: [],
    });
  });

  it('do not count while their artwork is deleted, and are back at their place when it is restored', async () => {
    const imageUrl = 'https://images.example/one.jpg';
    const works = [await createMarker(collections.server, { title: 'One', imageUrl, location: { lat: 1, lon: 2 } })];
    for (const title of ['Two', 'Three']) works.push(await createMarker(collections.server, { title }));
    await collections.addItems(works.map(({ id }) => id));
    const read = async (): Promise<unknown[]> => {
      const one = (await collections.get(`/${collections.collectionId}`, collections.ownerToken)).body;
      const listed = (await collections.get('', collections.ownerToken)).body.data[0];
      return [one.itemCount, listed.itemCount, await collections.listTitles()];
    };
    expect(await read()).toEqual([3, 3, ['One', 'Two', 'Three']]);
    const { items } = (await collections.get(`/${collections.collectionId}`, collections.ownerToken)).body;
    expect(items[0].artwork).toMatchObject({ imageUrl, location: { lat: 1, lon: 2 } });
    const setDeleted = (deletedAt: Date | null): Promise<Marker> =>
      collections.server.get(TransactionService).run(async (tx) => {
        const markers = collections.server.get(MarkersStore);
        return markers.setDeleted(tx, (await markers.findForUpdate(tx, works[1]!.id))!, deletedAt);
      });
    await setDeleted(new Date());
    expect(await read()).toEqual([2, 2, ['One', 'Three']]);
    await setDeleted(null);
    expect(await read()).toEqual([3, 3, ['One', 'Two', 'Three']]);
  });

  it('do not reveal by the version which items existed', async () => {
    const [second, newSecret] = [await createMarker(collections.server), await createMarker(collections.server)];
    await collections.addItems([second.id]);
    for (const [{ id }, version] of [
      [second, 3],
      [newSecret, 4],
    ] as const) {
      expect((await collections.addItems([id])).body).toEqual({
        notFound: [],
        collection: { id: collections.collectionId, version },
      });
    }
    for (const [markerId, version] of [
      [newSecret.id, 5],
      [newSecret.id, 6],
    ] as const) {
      await collections.delete(`/${collections.collectionId}/items/${markerId}`);
      expect((await collections.get(`/${collections.collectionId}`, collections.ownerToken)).body.version).toBe(
        version,
      );
    }
  });
});
