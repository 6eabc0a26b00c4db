import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Transactions } from '../../src/database/transactions.js';
import { MarkersStore } from '../../src/markers/markers-store.js';
import { CollectionsFixture } from '../support/collections-fixture.js';
import { newMarker } from '../support/factories.js';

const NO_MARKER = 'mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('What is in a collection', () => {
  let lists: CollectionsFixture;

  beforeAll(async () => {
    lists = await CollectionsFixture.start();
  });
  beforeEach(() => lists.newOwner());
  afterAll(() => lists.service.stop());

  it('keeps artworks in the order in which they were added, a page at a time', async () => {
    const works = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((title) => newMarker(lists.service, { title })));
    await lists.add([works[2]!.id, works[0]!.id]);
    await lists.add([works[4]!.id, works[2]!.id, works[1]!.id, works[3]!.id]);
    expect(await lists.titles()).toEqual(['C', 'A', 'E', 'B', 'D']);
    const first = (await lists.get(`/${lists.id}?limit=3`, lists.token)).body;
    expect(first).toMatchObject({ itemCount: 5, page: { limit: 3 } });
    const second = (await lists.get(`/${lists.id}?limit=3&cursor=${first.page.nextCursor}`, lists.token)).body;
    expect(second.items.map(({ artwork }: { artwork: { title: string } }) => artwork.title)).toEqual(['B', 'D']);
    expect(second.page.nextCursor).toBeNull();
  });

  it('adds many at once, twice the same without harm, and says which it does not know', async () => {
    const [one, two] = [await newMarker(lists.service), await newMarker(lists.service)];
    const { status, body } = await lists.add([one.id, two.id, one.id, NO_MARKER, 'nonsense', NO_MARKER]);
    expect(status).toBe(200);
    expect(body).toEqual({ notFound: [NO_MARKER, 'nonsense'], collection: { id: lists.id, version: 2 } });
    expect((await lists.add([one.id])).body.notFound).toEqual([]);
    expect((await lists.get(`/${lists.id}`, lists.token)).body.itemCount).toBe(2);
  });

  it('loses nothing where many add at once', async () => {
    const works = await Promise.all(Array.from({ length: 12 }, () => newMarker(lists.service)));
    const answers = await Promise.all(works.map((work) => lists.add([work.id])));
    expect(answers.map(({ status }) => status)).toEqual(works.map(() => 200));
    expect((await lists.get(`/${lists.id}`, lists.token)).body).toMatchObject({ itemCount: 12, version: 13 });
    expect(await lists.titles()).toHaveLength(12);
  });

  it('refuses a cursor of its own whose position was changed', async () => {
    await lists.add([(await newMarker(lists.service)).id, (await newMarker(lists.service)).id]);
    const cursor = (await lists.get(`/${lists.id}?limit=1`, lists.token)).body.page.nextCursor as string;
    const [, markerId, list] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    for (const position of ['1', 1.5, 2 ** 31, -(2 ** 53), null]) {
      const spoiled = Buffer.from(JSON.stringify([position, markerId, list])).toString('base64url');
      expect((await lists.get(`/${lists.id}?limit=1&cursor=${spoiled}`, lists.token)).body.code).toBe('invalid_cursor');
    }
  });

  it('holds 1000 artworks and no more', async () => {
    const given = Array.from({ length: 1001 }, (_, at) => ({ title: `Work ${at}`, location: { lat: 1, lon: 1 } }));
    const markers = lists.service.get(MarkersStore);
    const works = (await lists.service.get(Transactions).run((tx) => markers.createAll(tx, given))).map(({ id }) => id);
    for (let at = 0; at < 1000; at += 100) expect((await lists.add(works.slice(at, at + 100))).status).toBe(200);
    const { status, body } = await lists.add([works[1000]!]);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'limit_reached' });
    expect((await lists.add(works.slice(0, 100))).status).toBe(200);
  });

  it('are 200 for a person and no more', async () => {
    for (let at = 1; at < 200; at++) expect((await lists.post('', { name: `List ${at}` })).status).toBe(201);
    const { status, body } = await lists.post('', { name: 'One too many' });
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'limit_reached' });
  });

  it('counts no version where nothing is changed', async () => {
    expect((await lists.post(`/${lists.id}`, {})).body).toMatchObject({ id: lists.id, version: 1 });
  });

  it('does not show an artwork that was deleted since', async () => {
    const [work, other] = [
      await newMarker(lists.service, { title: 'Kept' }),
      await newMarker(lists.service, { title: 'Deleted' }),
    ];
    await lists.add([work.id, other.id]);
    const markers = lists.service.get(MarkersStore);
    await lists.service
      .get(Transactions)
      .run(async (tx) => markers.setDeleted(tx, (await markers.hold(tx, other.id))!, new Date()));
    expect(await lists.titles()).toEqual(['Kept']);
  });

  it('refuses a place, and adds none of the others then', async () => {
    const [work, place] = [await newMarker(lists.service), await newMarker(lists.service, { placeType: 'gallery' })];
    const { status, body } = await lists.add([work.id, place.id]);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'not_an_artwork' });
    expect(await lists.titles()).toEqual([]);
  });

  it('refuses no item, and more than 100 at once', async () => {
    for (const items of [[], Array.from({ length: 101 }, () => ({ markerId: NO_MARKER }))]) {
      expect((await lists.post(`/${lists.id}/items`, { items })).status).toBe(400);
    }
  });

  it('takes an artwork out, and does not mind when it is not there', async () => {
    const work = await newMarker(lists.service);
    await lists.add([work.id]);
    for (const markerId of [work.id, work.id, NO_MARKER, 'nonsense']) {
      expect((await lists.remove(`/${lists.id}/items/${markerId}`)).status).toBe(204);
    }
    expect((await lists.get(`/${lists.id}`, lists.token)).body).toMatchObject({ itemCount: 0, items: [] });
  });

  it('does not tell by its version what was in it already', async () => {
    const [there, fresh] = [await newMarker(lists.service), await newMarker(lists.service)];
    await lists.add([there.id]);
    for (const [{ id }, version] of [
      [there, 3],
      [fresh, 4],
    ] as const) {
      expect((await lists.add([id])).body).toEqual({ notFound: [], collection: { id: lists.id, version } });
    }
    for (const [markerId, version] of [
      [fresh.id, 5],
      [fresh.id, 6],
    ] as const) {
      await lists.remove(`/${lists.id}/items/${markerId}`);
      expect((await lists.get(`/${lists.id}`, lists.token)).body.version).toBe(version);
    }
  });
});
