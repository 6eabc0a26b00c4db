import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ArtistsStore } from '../../src/map/artists/artists.store.js';
import { MarkersImportService } from '../../src/map/markers/markers-import.service.js';
import { MarkersStore } from '../../src/map/markers/markers.store.js';
import { RegionCreationService } from '../../src/map/edits/region-creation.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { EditsFixture, expectApiError } from '../support/edits-fixture.js';
import { createArtist, createMarker, issueAccessToken } from '../support/factories.js';
import { advanceClock, DAY_MS, restoreClock } from '../support/fake-clock.js';
import { FeedReader } from '../support/feed-reader.js';
import type { ResponseBody, TestResponse } from '../support/test-server.js';

describe('Feeds of changes', () => {
  let edits: EditsFixture;
  let token: string;

  beforeAll(async () => {
    edits = await EditsFixture.start();
    token = await issueAccessToken(edits.server, ['markers:read', 'artists:read']);
  });
  afterAll(() => edits.server.stop());
  afterEach(restoreClock);

  const get = (path: string, headers: Record<string, string> = {}): Promise<TestResponse> =>
    edits.server.request('GET', `/api${path}`, { token, headers });
  const openMarkers = (limit?: number): FeedReader =>
    new FeedReader('marker', (query) => get(`/markers/changes${query}`), limit);
  const openArtists = (): FeedReader => new FeedReader('artist', (query) => get(`/artists/changes${query}`));
  const followMarkers = async (): Promise<FeedReader> => {
    const reader = openMarkers();
    await reader.readAll();
    return reader;
  };
  const listIds = (changes: ResponseBody[]): string[] => changes.map(({ id }) => id as string);
  const accept = async (body: Record<string, unknown>): Promise<ResponseBody> =>
    edits.accept(await edits.suggestEdit(body));
  const updateArtist = async (id: string, changes: Record<string, unknown>): Promise<void> => {
    const { version } = (await get(`/artists/${id}`)).body;
    await accept({ type: 'update', targetType: 'artist', targetId: id, baseVersion: version, changes });
  };

  it('begin with everything that lives, without records that were deleted before', async () => {
    const [kept, deleted] = [await createMarker(edits.server), await createMarker(edits.server)];
    edits.artwork = deleted;
    await accept(edits.buildDeletion());
    const reader = openMarkers(1);
    expect(listIds(await reader.readAll())).toContain(kept.id);
    expect([...reader.copy.keys()]).not.toContain(deleted.id);
    const { openEditCount: _, ...marker } = (await get(`/markers/${kept.id}`)).body;
    expect(reader.copy.get(kept.id)).toEqual(marker);
  });

  it('deliver a text that looks like the end of a response', async () => {
    const title = '"version":9,"openEditCount":9,"createdAt":"now","updatedAt":"now"}';
    const { id } = await createMarker(edits.server, { title, description: title });
    const [change] = (await openMarkers().readAll()).filter((found) => found.id === id);
    expect(change).toMatchObject({ version: 1, marker: { version: 1, title, description: title } });
    expect(change!.updatedAt).toMatch(/^\d{4}-/);
  });

  it('deliver a creation, an update, a deletion and a restoration in their order', async () => {
    const reader = await followMarkers();
    edits.artwork = await createMarker(edits.server, { title: 'Before' });
    const { id } = edits.artwork;
    expect(await reader.readAll()).toMatchObject([{ id, change: 'upserted', version: 1, marker: { title: 'Before' } }]);
    await accept(edits.buildUpdate({ title: 'After' }));
    expect(await reader.readAll()).toMatchObject([{ id, change: 'upserted', version: 2, marker: { title: 'After' } }]);
    const deletion = await edits.suggestEdit({ ...edits.buildDeletion(), baseVersion: 2 });
    await edits.accept(deletion);
    expect(await reader.readAll()).toEqual([
      { id, change: 'deleted', version: 3, updatedAt: expect.stringMatching(/Z$/) },
    ]);
    expect((await edits.decide('revert', deletion)).status).toBe(200);
    expect(await reader.readAll()).toMatchObject([{ id, change: 'upserted', version: 4, marker: { title: 'After' } }]);
    expect(await reader.readAll()).toEqual([]);
  });

  it('deliver a record once per page, in its newest state', async () => {
    const reader = await followMarkers();
    const [first, second] = [await createMarker(edits.server), await createMarker(edits.server)];
    edits.artwork = first;
    await accept(edits.buildUpdate({ year: 2001 }));
    await accept({ ...edits.buildUpdate({ year: 2002 }), baseVersion: 2 });
    const changes = await reader.readAll();
    expect(listIds(changes)).toEqual([second.id, first.id]);
    expect(changes[1]).toMatchObject({ version: 3, marker: { year: 2002 } });
  });

  it('deliver the artworks of a renamed artist', async () => {
    const [artist, other] = [await createArtist(edits.server, 'Old name'), await createArtist(edits.server)];
    const works = await Promise.all([1, 2].map(() => createMarker(edits.server, { artistIds: [artist.id, other.id] })));
    edits.artwork = await createMarker(edits.server, { artistIds: [artist.id] });
    await accept(edits.buildDeletion());
    const [markers, artists] = [await followMarkers(), openArtists()];
    await artists.readAll();
    await updateArtist(artist.id, { name: 'New name' });
    const changes = await markers.readAll();
    expect(new Set(listIds(changes))).toEqual(new Set(works.map(({ id }) => id)));
    for (const { marker, version } of changes) {
      expect(version).toBe(1);
      expect(marker.artists).toContainEqual({ id: artist.id, name: 'New name' });
    }
    const { artworkCount: _, ...renamed } = (await get(`/artists/${artist.id}`)).body;
    expect(await artists.readAll()).toMatchObject([{ id: artist.id, change: 'upserted', artist: renamed }]);
    expect(artists.copy.get(artist.id)).toEqual(renamed);
  });

  it('do not deliver the artworks of an artist whose biography changes', async () => {
    const artist = await createArtist(edits.server);
    await createMarker(edits.server, { artistIds: [artist.id] });
    const [markers, artists] = [await followMarkers(), openArtists()];
    await artists.readAll();
    await updateArtist(artist.id, { bio: 'Paints foxes.' });
    expect(await markers.readAll()).toEqual([]);
    expect(await artists.readAll()).toMatchObject([{ id: artist.id, artist: { bio: 'Paints foxes.' } }]);
  });

  it('deliver the deletion of an artist', async () => {
    const artist = await createArtist(edits.server);
    const artists = openArtists();
    await artists.readAll();
    await accept({ type: 'delete', targetType: 'artist', targetId: artist.id, baseVersion: 1 });
    expect(await artists.readAll()).toMatchObject([{ id: artist.id, change: 'deleted', version: 2 }]);
  });

  it('deliver markers that get a region, and imported markers', async () => {
    const outside = await createMarker(edits.server, { location: { lat: -33.5, lon: 18.5 } });
    const reader = await followMarkers();
    await edits.server.get(RegionCreationService).create('Cape', [18, -34, 19, -33], () => undefined);
    expect(await reader.readAll()).toMatchObject([{ id: outside.id, marker: { region: { name: 'Cape' } } }]);
    const geometry = { type: 'Point', coordinates: [5, 52] };
    const feature = { type: 'Feature', geometry, properties: { title: 'Imported' } };
    const listener = { onProgress: () => undefined, onSkipped: () => undefined };
    const geojson = JSON.stringify({ type: 'FeatureCollection', features: [feature, feature] });
    await edits.server.get(MarkersImportService).importGeoJson(geojson, listener);
    expect((await reader.readAll()).map(({ marker }) => marker.title as string)).toEqual(['Imported', 'Imported']);
  });

  it('deliver nothing about suggestions, locks and failed transactions', async () => {
    const artist = await createArtist(edits.server);
    edits.artwork = await createMarker(edits.server, { artistIds: [artist.id] });
    const [markers, artists] = [await followMarkers(), openArtists()];
    await artists.readAll();
    const id = await edits.suggestEdit(edits.buildUpdate({ year: 2003 }));
    await edits.decide('reject', id);
    const failed = edits.server.get(TransactionService).run(async (tx) => {
      await edits.server.get(MarkersStore).lock(tx, [edits.artwork.id], new Date());
      await edits.server.get(ArtistsStore).create(tx, { name: 'Nobody' });
      throw new Error('Changed its mind.');
    });
    await expect(failed).rejects.toThrow('Changed its mind.');
    await edits.server
      .get(TransactionService)
      .run((tx) => edits.server.get(MarkersStore).lock(tx, [edits.artwork.id], new Date()));
    expect(await markers.readAll()).toEqual([]);
    expect(await artists.readAll()).toEqual([]);
  });

  it('deliver deletions that happen during the first pass', async () => {
    const [early, late] = [await createMarker(edits.server), await createMarker(edits.server)];
    const reader = openMarkers(1);
    while (!reader.copy.has(early.id)) await reader.readPage();
    for (const artwork of [early, late]) {
      edits.artwork = artwork;
      await accept(edits.buildDeletion());
    }
    expect(await reader.readAll()).toMatchObject([
      { id: early.id, change: 'deleted' },
      { id: late.id, change: 'deleted' },
    ]);
    expect(reader.copy.has(early.id)).toBe(false);
  });

  it('respond 304 to a poll without changes, and 200 after a change', async () => {
    const { since } = await followMarkers();
    const { headers, body } = await get(`/markers/changes?since=${since}`);
    expect(body).toEqual({ data: [], page: { nextSince: since, hasMore: false } });
    const condition = { 'If-None-Match': headers.get('etag')! };
    expect((await get(`/markers/changes?since=${since}`, condition)).status).toBe(304);
    await createMarker(edits.server);
    expect((await get(`/markers/changes?since=${since}`, condition)).status).toBe(200);
  });

  it('accept a token for 90 days, and each poll starts 90 new days', async () => {
    const reader = await followMarkers();
    const { since } = reader;
    advanceClock(90 * DAY_MS);
    token = await issueAccessToken(edits.server, ['markers:read', 'artists:read']);
    await reader.readAll();
    expect(reader.since).not.toBe(since);
    advanceClock(DAY_MS);
    token = await issueAccessToken(edits.server, ['markers:read', 'artists:read']);
    await reader.readAll();
    expectApiError(await get(`/markers/changes?since=${since}`), 410, 'sync_token_expired');
    restoreClock();
    token = await issueAccessToken(edits.server, ['markers:read', 'artists:read']);
  });

  it('reject tokens of the other feed, changed tokens and other texts', async () => {
    const { since } = await followMarkers();
    expectApiError(await get(`/artists/changes?since=${since}`), 400, 'invalid_sync_token');
    const bytes = Buffer.from(since!, 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      const response = await get(`/markers/changes?since=${changed.toString('base64url')}`);
      expectApiError(response, 400, 'invalid_sync_token');
    }
    for (const other of ['', 'x', '0', 'null', '%00', 'a'.repeat(4000)])
      expectApiError(await get(`/markers/changes?since=${other}`), 400, 'invalid_sync_token');
    expectApiError(await get(`/markers/changes?since=${since}&since=${since}`), 400, 'invalid_request');
  });

  it.each(['limit=0', 'limit=501', 'limit=x', 'cursor=x', 'updatedSince=2026-11-20T08:00:00Z'])(
    'reject %s',
    async (query) => {
      expectApiError(await get(`/markers/changes?${query}`), 400, 'invalid_request');
      expectApiError(await get(`/artists/changes?${query}`), 400, 'invalid_request');
    },
  );

  it('end with the last page of the limit', async () => {
    const reader = await followMarkers();
    for (let count = 0; count < 3; count++) await createMarker(edits.server);
    const page = async (limit: number): Promise<unknown> => {
      const { body } = await get(`/markers/changes?since=${reader.since}&limit=${limit}`);
      return [body.data.length, body.page.hasMore];
    };
    expect([await page(2), await page(3), await page(500)]).toEqual([
      [2, true],
      [3, false],
      [3, false],
    ]);
  });
});
