import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { MarkersStore } from '../../src/map/markers/markers.store.js';
import { CollectionsFixture } from '../support/collections-fixture.js';
import { createMarker } from '../support/factories.js';

const UNKNOWN_MARKER_ID = 'mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('What is in a collection', () => {
  let lists: CollectionsFixture;

  beforeAll(async () => {
    lists = await CollectionsFixture.start();
  });
  beforeEach(() => lists.createOwner());
  afterAll(() => lists.server.stop());

  it('keeps artworks in the order in which they were added, a page at a time', async () => {
    const works = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((title) => createMarker(lists.server, { title })));
    await lists.addItems([works[2]!.id, works[0]!.id]);
    await lists.addItems([works[4]!.id, works[2]!.id, works[1]!.id, works[3]!.id]);
    expect(await lists.listTitles()).toEqual(['C', 'A', 'E', 'B', 'D']);
    const first = (await lists.get(`/${lists.collectionId}?limit=3`, lists.ownerToken)).body;
    expect(first).toMatchObject({ itemCount: 5, page: { limit: 3 } });
    const second = (await lists.get(`/${lists.collectionId}?limit=3&cursor=${first.page.nextCursor}`, lists.ownerToken))
      .body;
    expect(second.items.map(({ artwork }: { artwork: { title: string } }) => artwork.title)).toEqual(['B', 'D']);
    expect(second.page.nextCursor).toBeNull();
  });

  it('adds many at once, twice the same without harm, and says which it does not know', async () => {
    const [one, two] = [await createMarker(lists.server), await createMarker(lists.server)];
    const { status, body } = await lists.addItems([
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
      collection: { id: lists.collectionId, version: 2 },
    });
    expect((await lists.addItems([one.id])).body.notFound).toEqual([]);
    expect((await lists.get(`/${lists.collectionId}`, lists.ownerToken)).body.itemCount).toBe(2);
  });

  it('loses nothing where many add at once', async () => {
    const works = await Promise.all(Array.from({ length: 12 }, () => createMarker(lists.server)));
    const answers = await Promise.all(works.map((work) => lists.addItems([work.id])));
    expect(answers.map(({ status }) => status)).toEqual(works.map(() => 200));
    expect((await lists.get(`/${lists.collectionId}`, lists.ownerToken)).body).toMatchObject({
      itemCount: 12,
      version: 13,
    });
    expect(await lists.listTitles()).toHaveLength(12);
  });

  it('refuses a cursor of its own whose position was changed', async () => {
    await lists.addItems([(await createMarker(lists.server)).id, (await createMarker(lists.server)).id]);
    const cursor = (await lists.get(`/${lists.collectionId}?limit=1`, lists.ownerToken)).body.page.nextCursor as string;
    const [, markerId, list] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    for (const position of ['1', 1.5, 2 ** 31, -(2 ** 53), null]) {
      const spoiled = Buffer.from(JSON.stringify([position, markerId, list])).toString('base64url');
      expect((await lists.get(`/${lists.collectionId}?limit=1&cursor=${spoiled}`, lists.ownerToken)).body.code).toBe(
        'invalid_cursor',
      );
    }
  });

  it('holds 1000 artworks and no more', async () => {
    const given = Array.from({ length: 1001 }, (_, at) => ({ title: `Work ${at}`, location: { lat: 1, lon: 1 } }));
    const markers = lists.server.get(MarkersStore);
    const works = (await lists.server.get(TransactionService).run((tx) => markers.createMany(tx, given))).map(
      ({ id }) => id,
    );
    for (let at = 0; at < 1000; at += 100) expect((await lists.addItems(works.slice(at, at + 100))).status).toBe(200);
    const { status, body } = await lists.addItems([works[1000]!]);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'limit_reached' });
    expect((await lists.addItems(works.slice(0, 100))).status).toBe(200);
  });

  it('are 200 for a person and no more', async () => {
    for (let at = 1; at < 200; at++) expect((await lists.post('', { name: `List ${at}` })).status).toBe(201);
    const { status, body } = await lists.post('', { name: 'One too many' });
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'limit_reached' });
  });

  it('counts no version where nothing is changed', async () => {
    expect((await lists.post(`/${lists.collectionId}`, {})).body).toMatchObject({ id: lists.collectionId, version: 1 });
  });

  it('does not show an artwork that was deleted since', async () => {
    const [work, other] = [
      await createMarker(lists.server, { title: 'Kept' }),
      await createMarker(lists.server, { title: 'Deleted' }),
    ];
    await lists.addItems([work.id, other.id]);
    const markers = lists.server.get(MarkersStore);
    await lists.server
      .get(TransactionService)
      .run(async (tx) => markers.setDeleted(tx, (await markers.findForUpdate(tx, other.id))!, new Date()));
    expect(await lists.listTitles()).toEqual(['Kept']);
  });

  it('refuses a place, and adds none of the others then', async () => {
    const [work, place] = [
      await createMarker(lists.server),
      await createMarker(lists.server, { placeType: 'gallery' }),
    ];
    const { status, body } = await lists.addItems([work.id, place.id]);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'not_an_artwork' });
    expect(await lists.listTitles()).toEqual([]);
  });

  it('refuses no item, and more than 100 at once', async () => {
    for (const items of [[], Array.from({ length: 101 }, () => ({ markerId: UNKNOWN_MARKER_ID }))]) {
      expect((await lists.post(`/${lists.collectionId}/items`, { items })).status).toBe(400);
    }
  });

  it('takes an artwork out, and does not mind when it is not there', async () => {
    const work = await createMarker(lists.server);
    await lists.addItems([work.id]);
    for (const markerId of [work.id, work.id, UNKNOWN_MARKER_ID, 'nonsense']) {
      expect((await lists.delete(`/${lists.collectionId}/items/${markerId}`)).status).toBe(204);
    }
    expect((await lists.get(`/${lists.collectionId}`, lists.ownerToken)).body).toMatchObject({
      itemCount: 0,
      items: [],
    });
  });

  it('does not tell by its version what was in it already', async () => {
    const [there, fresh] = [await createMarker(lists.server), await createMarker(lists.server)];
    await lists.addItems([there.id]);
    for (const [{ id }, version] of [
      [there, 3],
      [fresh, 4],
    ] as const) {
      expect((await lists.addItems([id])).body).toEqual({
        notFound: [],
        collection: { id: lists.collectionId, version },
      });
    }
    for (const [markerId, version] of [
      [fresh.id, 5],
      [fresh.id, 6],
    ] as const) {
      await lists.delete(`/${lists.collectionId}/items/${markerId}`);
      expect((await lists.get(`/${lists.collectionId}`, lists.ownerToken)).body.version).toBe(version);
    }
  });
});
