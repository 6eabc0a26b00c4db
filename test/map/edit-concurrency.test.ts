import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Artist } from '../../src/map/artists/artist.entity.js';
import { generateId } from '../../src/platform/database/ids.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { EditsFixture } from '../support/edits-fixture.js';
import { createArtist, createMarker } from '../support/factories.js';
import type { TestResponse } from '../support/test-server.js';

/** The number of rounds: two transactions do not always collide in the first one. */
const ROUND_COUNT = 8;

describe('Concurrent edit decisions', () => {
  let edits: EditsFixture;
  let one: string;
  let other: string;

  beforeAll(async () => {
    edits = await EditsFixture.start();
    [one, other] = [await edits.createModerator(), await edits.createModerator()];
  });
  beforeEach(() => edits.createArtwork());
  afterAll(() => edits.server.stop());

  const accept = (id: string, token: string): Promise<TestResponse> => edits.decide('accept', id, token);
  const revert = (id: string, token: string): Promise<TestResponse> => edits.decide('revert', id, token);
  const creation = (title: string): Record<string, unknown> => {
    return { type: 'create', targetType: 'artwork', changes: { title, location: { lat: 52.1, lon: 5 } } };
  };
  const statuses = async (...responses: Promise<TestResponse>[]): Promise<number[]> =>
    (await Promise.all(responses)).map(({ status }) => status);

  it("succeed when two moderators accept each other's suggestions", async () => {
    for (let round = 0; round < ROUND_COUNT; round++) {
      const [first, second] = [await createMarker(edits.server), await createMarker(edits.server)];
      const ownEdit = await edits.suggestEdit(edits.buildUpdate({ year: 2001 }, first), one);
      const otherEdit = await edits.suggestEdit(edits.buildUpdate({ year: 2001 }, second), other);
      expect(await statuses(accept(otherEdit, one), accept(ownEdit, other))).toEqual([200, 200]);
    }
  });

  it('succeed when one edit moves an artwork and another one changes another field', async () => {
    for (let round = 0; round < ROUND_COUNT; round++) {
      const artwork = await createMarker(edits.server);
      const move = await edits.suggestEdit(edits.buildUpdate({ location: { lat: 52.2, lon: 5.1 } }, artwork));
      const change = await edits.suggestEdit(edits.buildUpdate({ year: 2001 }, artwork));
      const again = {
        ...edits.buildUpdate({ title: 'Echo' }, artwork),
        supersedes: await edits.suggestEdit(edits.buildUpdate({ title: 'E' }, artwork)),
      };
      expect(
        await statuses(accept(move, one), accept(change, other), edits.post('', edits.authorToken, again)),
      ).toEqual([200, 200, 201]);
    }
  });

  it('succeed when two artworks swap their artists, and count the artworks of both artists correctly', async () => {
    const artists = [await createArtist(edits.server), await createArtist(edits.server)];
    const [a, b] = artists.map(({ id }) => id) as [string, string];
    for (let round = 0; round < ROUND_COUNT; round++) {
      const works = await Promise.all([[a], [b]].map((artistIds) => createMarker(edits.server, { artistIds })));
      const toB = await edits.suggestEdit(edits.buildUpdate({ artistIds: [b] }, works[0]));
      const toA = await edits.suggestEdit(edits.buildUpdate({ artistIds: [a] }, works[1]));
      expect(await statuses(accept(toB, one), accept(toA, other))).toEqual([200, 200]);
    }
    const counts = artists.map(
      async ({ id }) => (await edits.server.entityManager.findOneByOrFail(Artist, { id })).artworkCount,
    );
    expect(await Promise.all(counts)).toEqual([ROUND_COUNT, ROUND_COUNT]);
  });

  it('do not deadlock when a creation is accepted and reverted', async () => {
    for (let round = 0; round < ROUND_COUNT; round++) {
      const id = await edits.suggestEdit(creation(`Shed ${round}`));
      const tries = [accept(id, one), accept(id, other), revert(id, one), revert(id, other)];
      await tries[0];
      tries.push(revert(id, one), revert(id, other));
      const responses = await Promise.all(tries);
      expect(responses.filter(({ status }) => ![200, 409].includes(status)).map(({ body }) => body)).toEqual([]);
      expect(
        responses
          .slice(0, 2)
          .map(({ status }) => status)
          .sort(),
      ).toEqual([200, 409]);
      expect(responses.slice(2).filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });

  it('do not deadlock with a suggestion that supersedes an edit of another target', async () => {
    for (let round = 0; round < ROUND_COUNT; round++) {
      const [artist, artwork] = [await createArtist(edits.server), await createMarker(edits.server)];
      const id = await edits.suggestEdit(edits.buildUpdate({ artistIds: [artist.id] }, artwork));
      const about = { type: 'update', targetType: 'artist', targetId: artist.id, baseVersion: 1 };
      const wrong = { ...about, changes: { bio: 'x' }, supersedes: id };
      const suggestions = [1, 2, 3].map(() => edits.post('', edits.authorToken, wrong));
      expect(await statuses(accept(id, one), ...suggestions)).toEqual([200, 422, 422, 422]);
    }
  });

  it('update the search index of an artwork that has no index row', async () => {
    const { artists: _, region: __, ...row } = await edits.findMarker();
    const artwork = { ...row, id: generateId('mrk'), artists: [], region: null };
    await edits.server.get(TransactionService).run((tx) => tx.insert(Marker, { ...row, id: artwork.id }));
    const id = await edits.suggestEdit(edits.buildUpdate({ title: `Unindexed ${artwork.id}` }, artwork));
    expect((await accept(id, one)).status).toBe(200);
    const response = await edits.server.request('GET', `/api/markers?q=${artwork.id.slice(4)}`, {
      token: edits.authorToken,
    });
    expect(response.body.data).toMatchObject([{ id: artwork.id }]);
  });

  it('accept an edit once when two requests accept it', async () => {
    for (let round = 0; round < ROUND_COUNT; round++) {
      const id = await edits.suggestEdit(creation(`Wall ${round}`));
      expect((await statuses(accept(id, one), accept(id, other))).sort()).toEqual([200, 409]);
    }
  });
});
