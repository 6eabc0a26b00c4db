import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Scope } from '../../src/identity/scopes/scopes.js';
import { MarkersStore } from '../../src/map/markers/markers.store.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { EditsFixture } from '../support/edits-fixture.js';
import { createAccount, createMarker } from '../support/factories.js';
import type { ResponseBody } from '../support/test-server.js';

/** Degrees of latitude in one meter, about. */
const METER = 1 / 111_195;

describe('Artworks that a suggested new artwork probably repeats', () => {
  let edits: EditsFixture;
  /** A latitude of its own for each test. */
  let lat = 52.1;

  beforeAll(async () => {
    edits = await EditsFixture.start();
  });
  beforeEach(() => {
    lat += 0.001;
  });
  afterAll(() => edits.server.stop());

  const create = (title: string, meters = 0): Record<string, unknown> => ({
    type: 'create',
    targetType: 'artwork',
    changes: { title, location: { lat: lat + meters * METER, lon: 5 } },
  });
  const suggest = async (body: Record<string, unknown>, token = edits.authorToken): Promise<ResponseBody> => {
    const response = await edits.post('', token, body);
    expect(response.status).toBe(201);
    return response.body;
  };
  const addMarker = (title: string, meters: number, rest: Partial<Marker> = {}): Promise<Marker> =>
    createMarker(edits.server, { title, location: { lat: lat + meters * METER, lon: 5 }, ...rest });
  const suggestAs = async (scopes: Scope[], body: Record<string, unknown>): Promise<ResponseBody> =>
    suggest(body, await edits.issueAccessToken(await createAccount(edits.server), scopes));

  it('are named with their distances, nearest first, on the map in any status and among open suggestions', async () => {
    const far = await addMarker('Two Herons', 25);
    const gone = await addMarker('TWO-HERONS', 10, { status: 'gone' });
    const open = await suggestAs(['edits:write'], create('Two Heron', 5));
    const { similar } = await suggest(create('Two herons'));
    expect(similar).toEqual([
      { editId: open.id, distance: expect.closeTo(5, 1) },
      { targetId: gone.id, distance: expect.closeTo(10, 1) },
      { targetId: far.id, distance: expect.closeTo(25, 1) },
    ]);
  });

  it('are named to an app that can only write, and to a reviewer in the view', async () => {
    const marker = await addMarker('Blue Owl', 3);
    const { id, similar, ...rest } = await suggestAs(['edits:write'], create('Blue Owl'));
    expect(similar).toEqual([{ targetId: marker.id, distance: expect.closeTo(3, 1) }]);
    expect(rest).toEqual({ status: 'open', targetId: null, resultVersion: null });
    const { body } = await edits.get(`/${id}`, edits.moderatorToken);
    expect(body.similar).toEqual(similar);
    await edits.decide('reject', id as string);
    expect((await edits.get(`/${id}`, edits.moderatorToken)).body).not.toHaveProperty('similar');
  });

  it('are the same in a replay', async () => {
    await addMarker('Red Fox', 3);
    const request = { token: edits.authorToken, body: create('Red Fox'), headers: { 'Idempotency-Key': 'red-fox' } };
    const [first, replay] = [
      await edits.server.request('POST', '/api/edits', request),
      await edits.server.request('POST', '/api/edits', request),
    ];
    expect(first.body.similar).toHaveLength(1);
    expect(replay.body).toEqual(first.body);
  });

  it('are none with another title or more than 30 m away', async () => {
    await addMarker('Green Cat', 31);
    await addMarker('Grey Rat', 1);
    expect(await suggest(create('Green Cat'))).not.toHaveProperty('similar');
  });

  it('are no deleted artworks, no places, and no closed or replaced suggestions', async () => {
    await addMarker('Gold Fish', 1, { kind: 'place', placeType: 'gallery' });
    const deleted = await addMarker('Gold Fish', 1);
    await edits.server.get(TransactionService).run(async (tx) => {
      const marker = await tx.findOneOrFail(Marker, { where: { id: deleted.id }, relations: { artists: true } });
      await edits.server.get(MarkersStore).setDeleted(tx, marker, new Date());
    });
    const first = await suggest(create('Gold Fish'));
    expect(first).not.toHaveProperty('similar');
    const second = await suggest({ ...create('Gold Fish', 2), supersedes: first.id });
    expect(second).not.toHaveProperty('similar');
    await edits.decide('reject', second.id as string);
    expect(await suggest(create('Gold Fish'))).not.toHaveProperty('similar');
  });

  it('are none for an update or an artist', async () => {
    await addMarker('Old Wall', 2);
    const marker = await addMarker('Other Wall', 3);
    expect(await suggest(edits.buildUpdate({ title: 'Old Wall' }, marker))).not.toHaveProperty('similar');
    const artist = { type: 'create', targetType: 'artist', changes: { name: 'Old Wall' } };
    expect(await suggest(artist)).not.toHaveProperty('similar');
  });
});
