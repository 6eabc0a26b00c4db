import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MarkersStore } from '../../src/map/markers/markers.store.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { CollectionsFixture } from '../support/collections-fixture.js';
import { createMarker } from '../support/factories.js';
import type { TestResponse } from '../support/test-server.js';

const UNKNOWN_MARKER_ID = 'mrk_01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('The note of an artwork in a collection', () => {
  let collections: CollectionsFixture;
  let inside: string;
  let outside: string;

  beforeAll(async () => {
    collections = await CollectionsFixture.start();
    outside = (await createMarker(collections.server)).id;
  });
  afterAll(() => collections.server.stop());
  beforeEach(async () => {
    await collections.createOwner();
    inside = (await createMarker(collections.server)).id;
    await collections.addItems([inside]);
  });

  const setNote = (markerId: string, body: unknown, token = collections.ownerToken): Promise<TestResponse> =>
    collections.post(`/${collections.collectionId}/items/${markerId}`, body, token);
  const readNotes = async (): Promise<(string | null)[]> => {
    const { body } = await collections.get(`/${collections.collectionId}`, collections.ownerToken);
    return body.items.map(({ note }: { note: string | null }) => note);
  };
  const buildResponse = (markerId: string, note: string | null, version: number): object => ({
    status: 200,
    body: { markerId, note, collection: { id: collections.collectionId, version } },
  });

  it('is replaced in place, and removed by null or by an empty text', async () => {
    expect(await setNote(inside, { note: 'After dark.' })).toMatchObject(buildResponse(inside, 'After dark.', 3));
    expect(await readNotes()).toEqual(['After dark.']);
    expect(await setNote(inside, { note: null })).toMatchObject(buildResponse(inside, null, 4));
    await setNote(inside, { note: 'Again.' });
    expect(await setNote(inside, { note: '' })).toMatchObject(buildResponse(inside, null, 6));
    expect(await readNotes()).toEqual([null]);
  });

  it('needs an artwork in the collection', async () => {
    const { status, body } = await setNote(outside, { note: 'x' });
    expect({ status, error: body.error }).toEqual({
      status: 404,
      error: 'This artwork is not in the collection. Add it first.',
    });
    expect((await collections.get(`/${collections.collectionId}`, collections.ownerToken)).body.version).toBe(2);
  });

  it('does not show an app that can only write whether the artwork is in the collection', async () => {
    const writeOnly = await collections.issueAccessToken(collections.owner, ['collections:write']);
    expect(await setNote(outside, { note: 'x' }, writeOnly)).toMatchObject(buildResponse(outside, 'x', 3));
    expect(await setNote(inside, { note: 'x' }, writeOnly)).toMatchObject(buildResponse(inside, 'x', 4));
    expect(await readNotes()).toEqual(['x']);
  });

  it.each([UNKNOWN_MARKER_ID, 'nonsense'])('needs an artwork that exists, not %s', async (markerId) => {
    const writeOnly = await collections.issueAccessToken(collections.owner, ['collections:write']);
    for (const token of [writeOnly, collections.ownerToken])
      expect((await setNote(markerId, { note: 'x' }, token)).status).toBe(404);
  });

  it.each([
    ['no note', {}, 'note is missing.'],
    ['a number', { note: 5 }, 'note must be a string.'],
    ['a long text', { note: 'x'.repeat(501) }, /^note must /],
    ['another member', { note: 'x', markerId: 'y' }, /^Unknown field: markerId\./],
  ])('is not changed by %s', async (_, sent, error) => {
    const { status, body } = await setNote(inside, sent);
    expect(status).toBe(400);
    expect(body.error).toMatch(error);
    expect(await readNotes()).toEqual([null]);
  });

  it('is changed only for the version that the app read', async () => {
    const path = `/api/collections/${collections.collectionId}/items/${inside}`;
    const send = (version: number): Promise<TestResponse> =>
      collections.server.request('POST', path, {
        token: collections.ownerToken,
        body: { note: 'x' },
        headers: { 'If-Match': `"${collections.collectionId}-${version}"` },
      });
    expect((await send(1)).status).toBe(412);
    expect(await readNotes()).toEqual([null]);
    expect((await send(2)).status).toBe(200);
  });

  it('is changed only by the owner, through an app with the scope', async () => {
    const readOnly = await collections.issueAccessToken(collections.owner, ['collections:read']);
    expect((await setNote(inside, { note: 'x' }, readOnly)).status).toBe(403);
    expect((await setNote(inside, { note: 'x' }, collections.otherToken)).status).toBe(404);
    await collections.publish();
    expect((await setNote(inside, { note: 'x' }, collections.otherToken)).body.reason).toBe('not_owner');
    expect(await readNotes()).toEqual([null]);
  });

  it('stays with an artwork that is deleted from the map', async () => {
    await setNote(inside, { note: 'Kept.' });
    const store = collections.server.get(MarkersStore);
    await collections.server.get(TransactionService).run(async (tx) => {
      const marker = await store.findForUpdate(tx, inside);
      await store.setDeleted(tx, marker!, new Date());
    });
    expect((await setNote(inside, { note: 'Lost.' })).status).toBe(404);
    const { body } = await collections.post(`/${collections.collectionId}/order`, { markerIds: [inside, outside] });
    expect(body.notFound).toEqual([outside]);
    const writeOnly = await collections.issueAccessToken(collections.owner, ['collections:write']);
    const sent = { markerIds: [inside, outside, UNKNOWN_MARKER_ID] };
    const answer = await collections.post(`/${collections.collectionId}/order`, sent, writeOnly);
    expect(answer.body.notFound).toEqual([UNKNOWN_MARKER_ID]);
  });
});
