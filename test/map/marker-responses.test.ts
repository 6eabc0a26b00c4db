import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { toMarkerResponse } from '../../src/map/markers/marker.dto.js';
import { MarkerRelationsStore } from '../../src/map/markers/marker-relations.store.js';
import { MarkersImportService } from '../../src/map/markers/markers-import.service.js';
import { MarkersStore } from '../../src/map/markers/markers.store.js';
import { RegionBackfillService } from '../../src/map/markers/region-backfill.service.js';
import { RESPONSE_FORMAT } from '../../src/map/markers/responses/prepared-markers.store.js';
import { MarkerPreparationService } from '../../src/map/markers/responses/marker-preparation.service.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import { query } from '../../src/platform/database/query.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { createArtist } from '../support/factories.js';
import { MapFixture } from '../support/map-fixture.js';
import type { ResponseBody } from '../support/test-server.js';

const LOCATION = { lat: 12.5, lon: 13.5 };

interface StoredResponse {
  marker_id: string;
  format: number;
  version: number;
  body: string | null;
}

describe('Prepared responses of markers', () => {
  let map: MapFixture;
  let artist: string;
  let id: string;

  const write = <T>(work: (tx: EntityManager) => Promise<T>): Promise<T> =>
    map.server.get(TransactionService).run(work);
  const execute = (sql: string, parameters = {}): Promise<unknown> => write((tx) => query(tx, sql, parameters));
  const prepareAll = (signal = new AbortController().signal): Promise<void> =>
    map.server.get(MarkerPreparationService).prepareAll(signal);

  async function readStored(): Promise<StoredResponse[]> {
    const sql =
      'SELECT s.marker_id, r.format, r.version, r.body FROM marker_responses r JOIN marker_search s ON s.row_number = r.row_number';
    return query<StoredResponse>(map.server.entityManager, sql);
  }

  async function isValid(markerId = id): Promise<boolean> {
    return (await readStored()).find(({ marker_id }) => marker_id === markerId)!.format === RESPONSE_FORMAT;
  }

  /** Compares each stored response, and each read, with the response that the rows give now. */
  async function expectCurrent(): Promise<void> {
    const stored = await readStored();
    const ids = stored.map(({ marker_id }) => marker_id);
    const markers = await map.server.get(MarkerRelationsStore).findWithRelations(ids);
    for (const { marker_id, format, version, body } of stored) {
      const marker = markers.get(marker_id)!;
      const expected = marker.deletedAt ? null : JSON.stringify(toMarkerResponse(marker));
      expect({ format, version, body }).toEqual({ format: RESPONSE_FORMAT, version: marker.version, body: expected });
    }
    await expectReadsCurrent();
  }

  /** Compares each read of the marker with the response that the rows give now. */
  async function expectReadsCurrent(): Promise<ResponseBody> {
    const marker = (await map.server.get(MarkerRelationsStore).findWithRelations([id])).get(id)!;
    const one = await map.get(`/markers/${id}`);
    const byIds = await map.get(`/markers?ids=${id}`);
    const list = await map.searchAllPages({ bbox: '-180,-90,180,90' });
    if (marker.deletedAt) {
      expect(one.status).toBe(410);
      expect([byIds.body.data, list.filter((item) => item.id === id)]).toEqual([[], []]);
      return undefined;
    }
    const expected = toMarkerResponse(marker);
    expect([one.body, byIds.body.data]).toEqual([expected, [expected]]);
    expect(list.filter((item) => item.id === id)).toEqual([expected]);
    return one.body;
  }

  beforeAll(async () => {
    map = await MapFixture.start();
  });
  afterAll(() => map.stop());

  beforeEach(async () => {
    artist = (await createArtist(map.server)).id;
    const [marker] = await map.createMarkers({
      title: 'Łódź "壁画" \\ 🦊',
      description: 'Two\nlines,"openEditCount":7',
      location: LOCATION,
      tags: ['fox', 'tram'],
      artistIds: [artist],
    });
    id = marker!.id;
  });

  it('are current after a marker is created, changed, deleted and restored', async () => {
    await expectCurrent();
    await map.updateMarker(id, { title: 'Heron', artistIds: null, tags: null, location: { lat: 1, lon: 1 } });
    await expectCurrent();
    await map.updateMarker(id, { artistIds: [artist, (await createArtist(map.server)).id] });
    await expectCurrent();
    await map.setDeleted(id, true);
    await expectCurrent();
    await map.setDeleted(id, false);
    await expectCurrent();
  });

  it('are current after the number of open edits changes, and after a lock', async () => {
    await write((tx) => map.server.get(MarkersStore).adjustOpenEditCount(tx, [id], 1));
    await expectCurrent();
    expect((await map.get(`/markers/${id}`)).body.openEditCount).toBe(1);
    await write((tx) => map.server.get(MarkersStore).lock(tx, [id], new Date()));
    await expectCurrent();
  });

  it('are current after an artist is renamed', async () => {
    await map.updateArtist(artist, { name: 'Ana Błąd' });
    await expectCurrent();
    expect((await map.get(`/markers/${id}`)).body.artists).toEqual([{ id: artist, name: 'Ana Błąd' }]);
  });

  it('are current after a region is assigned', async () => {
    const region = await map.server.get(RegionsService).findOrCreate(`Region of ${id}`, [13, 12, 14, 13]);
    await map.server.get(RegionBackfillService).assignMarkers(region, () => undefined);
    await expectCurrent();
    expect((await map.get(`/markers/${id}`)).body.region).toEqual({ id: region.id, name: `Region of ${id}` });
  });

  it('are current after an import', async () => {
    const geometry = { type: 'Point', coordinates: [13.6, 12.6] };
    const features = ['One', 'Two'].map((title) => ({ type: 'Feature', geometry, properties: { title: title + id } }));
    const listener = { onProgress: () => undefined, onSkipped: () => undefined };
    const imports = map.server.get(MarkersImportService);
    const collection = JSON.stringify({ type: 'FeatureCollection', features });
    expect((await imports.importGeoJson(collection, listener)).imported).toBe(2);
    await expectCurrent();
  });

  it.each([
    ['a marker', (): string => `UPDATE markers SET title = 'by hand' WHERE id = '${id}'`],
    ['an artist', (): string => `UPDATE artists SET name = 'by hand' WHERE id = '${artist}'`],
    ['the order of artists', (): string => `UPDATE artists SET name_sort_key = 'zz' WHERE id = '${artist}'`],
    ['the artists of a marker', (): string => `DELETE FROM marker_artists WHERE marker_id = '${id}'`],
  ])('are not sent after another program changed %s', async (_, getSql) => {
    await execute(getSql());
    expect(await isValid()).toBe(false);
    await expectReadsCurrent();
    await prepareAll();
    await expectCurrent();
  });

  it('stay valid when an artist changes in a way that markers do not show', async () => {
    await execute(`UPDATE artists SET bio = 'new', artwork_count = 5 WHERE id = '${artist}'`);
    expect(await isValid()).toBe(true);
  });

  it('are not sent if they have another format, or none', async () => {
    await execute(`UPDATE marker_responses SET format = ${RESPONSE_FORMAT + 1}, body = '{"id":"newer"}'`);
    await expectReadsCurrent();
    await execute(`UPDATE marker_responses SET format = ${RESPONSE_FORMAT - 1}, body = '{"id":"older"}'`);
    await expectReadsCurrent();
    await execute('DELETE FROM marker_responses');
    await expectReadsCurrent();
    await execute('INSERT INTO marker_responses (row_number) SELECT row_number FROM marker_search');
    await prepareAll();
    await expectCurrent();
  });

  it('are prepared by several runs if a run is interrupted', async () => {
    await execute('UPDATE marker_responses SET format = 0');
    await prepareAll(AbortSignal.abort());
    expect(await isValid()).toBe(false);
    await Promise.all([prepareAll(), prepareAll()]);
    await expectCurrent();
  });

  it('have the same entity tag prepared and mapped', async () => {
    const prepared = await map.get(`/markers/${id}`);
    await execute('UPDATE marker_responses SET format = 0');
    const mapped = await map.get(`/markers/${id}`);
    expect(prepared.headers.get('ETag')).toMatch(new RegExp(`^W/"${id}-1-[\\w-]{16}"$`));
    expect(mapped.headers.get('ETag')).toBe(prepared.headers.get('ETag'));
    const headers = { 'If-None-Match': prepared.headers.get('ETag')! };
    expect((await map.get(`/markers/${id}`, headers)).status).toBe(304);
    await prepareAll();
  });

  it('contain the distance of a search near a point', async () => {
    const { body } = await map.search({ lat: 12.5, lon: 13.5, radius: 10 });
    const found = body.data.find((item: ResponseBody) => item.id === id);
    expect(found).toEqual({ ...(await map.get(`/markers/${id}`)).body, distanceMeters: found.distanceMeters });
    expect(found.distanceMeters).toBeCloseTo(0);
  });

  it('have a new format when the response of a marker changes', () => {
    const response = toMarkerResponse({
      artists: [],
      photos: [],
      createdAt: new Date(0),
      updatedAt: new Date(0),
      latE7: 0,
      lonE7: 0,
    } as never);
    // If this fails, increase RESPONSE_FORMAT and adapt the members here.
    expect([RESPONSE_FORMAT, Object.keys(response).join(' ')]).toEqual([
      2,
      'id kind title description status medium placeType location address region artists year tags imageUrl ' +
        'photos version openEditCount createdAt updatedAt',
    ]);
  });
});
