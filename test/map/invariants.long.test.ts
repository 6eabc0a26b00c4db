import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RegionCreationService } from '../../src/map/edits/region-creation.service.js';
import { EntityVersion } from '../../src/map/history/entity-version.entity.js';
import { createAccount, createArtist, createMarker, issueAccessToken } from '../support/factories.js';
import { FeedReader } from '../support/feed-reader.js';
import { expectCountersToEqualCounts, expectHistoryToGiveState } from '../support/map-invariants.js';
import { RandomEditor, type SharedIds } from '../support/random-editor.js';
import { TEST_SEED } from '../support/seeded-random.js';
import { fetchAllPages, type ResponseBody, type TestResponse, TestServer } from '../support/test-server.js';

const OPERATION_COUNT = 2_000;
const ROLES = ['member', 'member', 'member', 'trusted', 'moderator', 'moderator', 'moderator', 'moderator'] as const;

describe(`After ${OPERATION_COUNT} random operations of ${ROLES.length} people (TEST_SEED=${TEST_SEED})`, () => {
  let server: TestServer;
  let token: string;
  let markers: FeedReader;
  let artists: FeedReader;
  const results = new Map<string, number>();

  const get = (path: string): Promise<TestResponse> => server.request('GET', `/api${path}`, { token });
  const openMarkers = (): FeedReader => new FeedReader('marker', (query) => get(`/markers/changes${query}`), 7);
  const openArtists = (): FeedReader => new FeedReader('artist', (query) => get(`/artists/changes${query}`), 3);

  beforeAll(async () => {
    server = await TestServer.start();
    token = await issueAccessToken(server, ['markers:read', 'artists:read']);
    const ids: SharedIds = { markers: [], artists: [], edits: [], acceptedEdits: [] };
    while (ids.artists.length < 8) ids.artists.push((await createArtist(server)).id);
    while (ids.markers.length < 30) {
      const artistIds = ids.artists.slice(0, ids.markers.length % 4);
      ids.markers.push((await createMarker(server, { artistIds })).id);
    }
    const editors = [];
    for (const [index, role] of ROLES.entries()) {
      const account = await createAccount(server, { role });
      const own = await issueAccessToken(server, undefined, account);
      editors.push(new RandomEditor(server, own, ids, TEST_SEED + index));
    }
    [markers, artists] = [openMarkers(), openArtists()];
    await performAll(editors);
    for (const editor of editors) {
      for (const [result, count] of editor.results) results.set(result, (results.get(result) ?? 0) + count);
    }
  });
  afterAll(() => server.stop());

  /** Performs the operations of all people at the same time, while an app reads both feeds. */
  async function performAll(editors: RandomEditor[]): Promise<void> {
    let remaining = OPERATION_COUNT;
    const perform = async (editor: RandomEditor): Promise<void> => {
      while (remaining > 0) {
        if (remaining-- === OPERATION_COUNT / 2) await createRegion();
        await editor.performOne();
      }
    };
    const poll = async (): Promise<void> => {
      while (remaining > 0) await Promise.all([markers.readPage(), artists.readPage()]);
    };
    await Promise.all([...editors.map(perform), poll()]);
  }

  async function createRegion(): Promise<void> {
    await server.get(RegionCreationService).create('Halvenstad', [4.8, 52, 5.2, 52.3], () => undefined);
  }

  it('each operation succeeded at least once, and created versions of each kind', async () => {
    const succeeded = [...results.keys()].filter((result) => /20\d$/.test(result)).map((result) => result.slice(0, -4));
    expect([...new Set(succeeded)].sort()).toEqual([
      'accept',
      'change a collection',
      'reject',
      'revert',
      'suggest a change of an artist',
      'suggest a creation',
      'suggest a deletion',
      'suggest an update',
      'supersede',
      'withdraw',
    ]);
    const versions = await server.entityManager.find(EntityVersion);
    expect(new Set(versions.map(({ action }) => action))).toEqual(
      new Set(['created', 'changed', 'deleted', 'restored']),
    );
  });

  it('the history, replayed, gives the state', async () => {
    await expectHistoryToGiveState(server);
  });

  it('counters equal counts', async () => {
    await expectCountersToEqualCounts(server);
  });

  it('the copy of an app equals the state, whether it followed the changes or begins now', async () => {
    const [newMarkers, newArtists] = [openMarkers(), openArtists()];
    for (const feed of [markers, artists, newMarkers, newArtists]) await feed.readAll();
    const listAll = async (path: string, countMember: string): Promise<Map<string, ResponseBody>> => {
      const records = await fetchAllPages((cursor) => get(`${path}${cursor === undefined ? '' : `&cursor=${cursor}`}`));
      return new Map(records.map(({ [countMember]: _, ...record }) => [record.id as string, record]));
    };
    const liveMarkers = await listAll('/markers?sort=id', 'openEditCount');
    const liveArtists = await listAll('/artists?sort=name', 'artworkCount');
    for (const [feed, live] of [
      [markers, liveMarkers],
      [newMarkers, liveMarkers],
      [artists, liveArtists],
      [newArtists, liveArtists],
    ] as const) {
      expect(live.size).toBeGreaterThan(0);
      expect(Object.fromEntries(feed.copy)).toEqual(Object.fromEntries(live));
    }
  });
});
