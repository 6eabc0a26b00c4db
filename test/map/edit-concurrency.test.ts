import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Artist } from '../../src/map/artists/artist.entity.js';
import { generateId } from '../../src/platform/database/ids.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { EditsFixture } from '../support/edits-fixture.js';
import { createAccount, createArtist, createMarker } from '../support/factories.js';
import type { TestResponse } from '../support/test-server.js';

/** How often each is tried: two transactions need not meet the first time. */
const ROUND_COUNT = 8;

describe('Edits that are decided at the same moment', () => {
  let edits: EditsFixture;
  let one: string;
  let other: string;

  beforeAll(async () => {
    edits = await EditsFixture.start();
    [one, other] = [await moderator(), await moderator()];
  });
  beforeEach(() => edits.createArtwork());
  afterAll(() => edits.server.stop());

  async function moderator(): Promise<string> {
    return edits.issueAccessToken(await createAccount(edits.server, { role: 'moderator' }));
  }

  const accept = (id: string, token: string): Promise<TestResponse> => edits.post(`/${id}/accept`, token);
  const revert = (id: string, token: string): Promise<TestResponse> => edits.post(`/${id}/revert`, token);
  const creation = (title: string): Record<string, unknown> => {
    return { type: 'create', targetType: 'artwork', changes: { title, location: { lat: 52.1, lon: 5 } } };
  };
  const statuses = async (...answers: Promise<TestResponse>[]): Promise<number[]> =>
    (await Promise.all(answers)).map(({ status }) => status);

  it('are both accepted where two moderators accept what the other suggested', async () => {
    for (let round = 0; round < ROUND_COUNT; round++) {
      const [here, there] = [await createMarker(edits.server), await createMarker(edits.server)];
      const mine = await edits.suggestEdit(edits.buildUpdate({ year: 2001 }, here), one);
      const theirs = await edits.suggestEdit(edits.buildUpdate({ year: 2001 }, there), other);
      expect(await statuses(accept(theirs, one), accept(mine, other))).toEqual([200, 200]);
    }
  });

  it('are both accepted where one moves an artwork and the other changes it otherwise', async () => {
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

  it('are both accepted where two artworks change artists with each other, and both artists are counted right', async () => {
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

  it('never wait for each other where a creation is accepted and taken back', async () => {
    for (let round = 0; round < ROUND_COUNT; round++) {
      const id = await edits.suggestEdit(creation(`Shed ${round}`));
      const tries = [accept(id, one), accept(id, other), revert(id, one), revert(id, other)];
      await tries[0];
      tries.push(revert(id, one), revert(id, other));
      const answers = await Promise.all(tries);
      expect(answers.filter(({ status }) => ![200, 409].includes(status)).map(({ body }) => body)).toEqual([]);
      expect(
        answers
          .slice(0, 2)
          .map(({ status }) => status)
          .sort(),
      ).toEqual([200, 409]);
      expect(answers.slice(2).filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });

  it('never wait for a suggestion that wants to take the place of one about something else', async () => {
    for (let round = 0; round < ROUND_COUNT; round++) {
      const [artist, artwork] = [await createArtist(edits.server), await createMarker(edits.server)];
      const id = await edits.suggestEdit(edits.buildUpdate({ artistIds: [artist.id] }, artwork));
      const about = { type: 'update', targetType: 'artist', targetId: artist.id, baseVersion: 1 };
      const wrong = { ...about, changes: { bio: 'x' }, supersedes: id };
      const suggestions = [1, 2, 3].map(() => edits.post('', edits.authorToken, wrong));
      expect(await statuses(accept(id, one), ...suggestions)).toEqual([200, 422, 422, 422]);
    }
  });

  it('reach the search, though an older version of the service, which knew none, wrote the artwork', async () => {
    const { artists: _, region: __, ...row } = await edits.findMarker();
    const artwork = { ...row, id: generateId('mrk'), artists: [], region: null };
    await edits.server.get(TransactionService).run((tx) => tx.insert(Marker, { ...row, id: artwork.id }));
    const id = await edits.suggestEdit(edits.buildUpdate({ title: `Unindexed ${artwork.id}` }, artwork));
    expect((await accept(id, one)).status).toBe(200);
    const found = await edits.server.request('GET', `/api/markers?q=${artwork.id.slice(4)}`, {
      token: edits.authorToken,
    });
    expect(found.body.data).toMatchObject([{ id: artwork.id }]);
  });

  it('are accepted once where two accept the same', async () => {
    for (let round = 0; round < ROUND_COUNT; round++) {
      const id = await edits.suggestEdit(creation(`Wall ${round}`));
      expect((await statuses(accept(id, one), accept(id, other))).sort()).toEqual([200, 409]);
    }
  });
});
