import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CollectionsFixture } from '../support/collections-fixture.js';
import { createMarker } from '../support/factories.js';
import type { TestResponse } from '../support/test-server.js';

const UNKNOWN_MARKER_ID = 'mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('The order of a collection', () => {
  let collections: CollectionsFixture;
  let ids: Record<string, string>;

  beforeAll(async () => {
    collections = await CollectionsFixture.start();
  });
  afterAll(() => collections.server.stop());
  beforeEach(async () => {
    await collections.createOwner();
    ids = {};
    for (const title of ['A', 'B', 'C', 'D']) ids[title] = (await createMarker(collections.server, { title })).id;
    await collections.addItems(Object.values(ids));
  });

  const toIds = (titles: string): string[] => [...titles].map((title) => ids[title]!);
  const order = (markerIds: unknown, token = collections.ownerToken): Promise<TestResponse> =>
    collections.post(`/${collections.collectionId}/order`, { markerIds }, token);
  const readTitles = async (): Promise<string> => (await collections.listTitles()).join('');

  it('is the given one', async () => {
    const { status, body } = await order(toIds('DBAC'));
    expect({ status, body }).toEqual({
      status: 200,
      body: { notFound: [], collection: { id: collections.collectionId, version: 3 } },
    });
    expect(await readTitles()).toBe('DBAC');
  });

  it('keeps the artworks that are left out behind, in the order that they had', async () => {
    await order(toIds('C'));
    expect(await readTitles()).toBe('CABD');
    await order(toIds('DA'));
    expect(await readTitles()).toBe('DACB');
  });

  it('names artworks that do not exist', async () => {
    const { body } = await order([...toIds('B'), UNKNOWN_MARKER_ID, 'nonsense']);
    expect(body.notFound).toEqual([UNKNOWN_MARKER_ID, 'nonsense']);
    expect(await readTitles()).toBe('BACD');
  });

  it('does not show which artworks are in the collection', async () => {
    const other = (await createMarker(collections.server)).id;
    const writeOnly = await collections.issueAccessToken(collections.owner, ['collections:write']);
    for (const [index, markerIds] of [[other], toIds('A'), [other, ...toIds('CB')]].entries()) {
      const { status, body } = await order(markerIds, writeOnly);
      expect({ status, body }).toEqual({
        status: 200,
        body: { notFound: [], collection: { id: collections.collectionId, version: 3 + index } },
      });
    }
    expect(await readTitles()).toBe('CBAD');
  });

  it('has room for new artworks at the end', async () => {
    await order(toIds('DCBA'));
    const last = await createMarker(collections.server, { title: 'E' });
    await collections.addItems([last.id]);
    expect(await readTitles()).toBe('DCBAE');
  });

  it('stays complete when it is changed at the same time', async () => {
    const orders = ['DCBA', 'ABCD', 'BADC', 'CDAB'];
    const responses = await Promise.all(orders.map((titles) => order(toIds(titles))));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(orders).toContain(await readTitles());
  });

  it.each([
    ['an empty list', () => []],
    ['an id twice', () => toIds('AA')],
    ['more than 1,000 ids', () => Array.from({ length: 1001 }, (_, index) => `mrk_${index}`)],
    ['no list', () => 'A'],
    ['a number', () => [1]],
    ['nothing', () => undefined],
  ])('is not changed by %s', async (_, create) => {
    expect((await order(create())).status).toBe(400);
    expect(await readTitles()).toBe('ABCD');
  });

  it('is changed only by the owner, through an app with the scope', async () => {
    expect((await order(toIds('DCBA'), collections.otherToken)).status).toBe(404);
    const readOnly = await collections.issueAccessToken(collections.owner, ['collections:read']);
    expect((await order(toIds('DCBA'), readOnly)).status).toBe(403);
    expect(await readTitles()).toBe('ABCD');
  });
});
