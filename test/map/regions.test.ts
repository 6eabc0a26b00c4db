import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { Edit } from '../../src/map/edits/edit.entity.js';
import { RegionCreationService } from '../../src/map/edits/region-creation.service.js';
import { Marker } from '../../src/map/markers/marker.entity.js';
import { MarkersStore } from '../../src/map/markers/markers.store.js';
import type { Region } from '../../src/map/regions/region.entity.js';
import { RegionBackfillService } from '../../src/map/markers/region-backfill.service.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import { EditsFixture } from '../support/edits-fixture.js';
import { createAccount, createMarker } from '../support/factories.js';
import type { ResponseBody } from '../support/test-server.js';

/** More markers than one batch has. */
const MARKER_COUNT = 1500;

describe('A new region', () => {
  let edits: EditsFixture;

  beforeAll(async () => {
    edits = await EditsFixture.start();
  });
  afterAll(() => edits.server.stop());

  const regions = (): RegionsService => edits.server.get(RegionsService);
  const fill = (region: Region, follow: (done: number, total: number) => void = () => undefined): Promise<void> =>
    edits.server.get(RegionBackfillService).assignMarkers(region, follow);

  async function addMany(location: { lat: number; lon: number }): Promise<void> {
    const parameters = Array.from({ length: MARKER_COUNT }, (_, index) => ({ title: `Wall ${index}`, location }));
    await edits.server.get(TransactionService).run((tx) => edits.server.get(MarkersStore).createMany(tx, parameters));
  }

  async function countIn(regionId: string): Promise<number[]> {
    const path = `/api/markers?regionId=${regionId}&count=true&limit=1`;
    const found = await edits.server.request('GET', path, { token: edits.authorToken });
    return [
      await edits.server.entityManager.countBy(Marker, { regionId }),
      (found.body as { page: { numberMatched: number } }).page.numberMatched,
    ];
  }

  it('is assigned to the markers in its box batch by batch, and resumes after an interruption', async () => {
    await addMany({ lat: -40, lon: 20 });
    const region = await regions().findOrCreate('Late', [19, -41, 21, -39]);
    const reached: number[][] = [];
    const stopping = fill(region, (...progress) => {
      reached.push(progress);
      throw new Error('The power went out.');
    });
    await expect(stopping).rejects.toThrow('The power went out.');
    expect(await countIn(region.id)).toEqual([1000, 1000]);
    const again = await regions().findOrCreate('Late', [19, -41, 21, -39]);
    await fill(again, (...progress) => reached.push(progress));
    expect(reached).toEqual([
      [1000, MARKER_COUNT],
      [500, 500],
    ]);
    expect(again.id).toBe(region.id);
    expect(await countIn(region.id)).toEqual([MARKER_COUNT, MARKER_COUNT]);
  });

  it('keeps markers of older regions and outside its box, on both sides of the antimeridian', async () => {
    const at = (lat: number, lon: number): Promise<Marker> => createMarker(edits.server, { location: { lat, lon } });
    const older = await regions().findOrCreate('Older', [-179.9, -11, -179, -9]);
    await fill(older);
    const [west, east, occupant, beside] = [
      await at(-10, 179.5),
      await at(-10, -179.95),
      await at(-10, -179.5),
      await at(-10, 178.9),
    ];
    const region = await regions().findOrCreate('Dateline', [179, -11, -179, -9]);
    await fill(region);
    const regionOf = async ({ id }: Marker): Promise<string | null> => (await edits.findMarker(id)).regionId;
    expect(await Promise.all([west, east, occupant, beside].map(regionOf))).toEqual([
      region.id,
      region.id,
      older.id,
      null,
    ]);
  });

  it('makes open edits in its box reviewable in the region', async () => {
    const artwork = await createMarker(edits.server, { location: { lat: -50, lon: 0 } });
    const change = await edits.suggestEdit(edits.buildUpdate({ year: 2001 }, artwork));
    const creation = await edits.suggestEdit({
      type: 'create',
      targetType: 'artwork',
      changes: { title: 'New', location: { lat: -50, lon: 0 } },
    });
    const region = await regions().findOrCreate('South', [-1, -51, 1, -49]);
    const reviewer = await edits.issueAccessToken(
      await createAccount(edits.server, { role: 'trusted', regions: [region.id] }),
    );
    const queue = async (): Promise<string[]> => {
      const { body } = await edits.post('/views', reviewer, { filter: { which: 'reviewable' } });
      return body.data.map(({ edit }: ResponseBody) => edit.id as string);
    };
    expect(await queue()).toEqual([]);
    await edits.server.get(RegionCreationService).create('South', [-1, -51, 1, -49], () => undefined);
    expect(await queue()).toEqual([change, creation]);
    for (const id of [change, creation]) expect((await edits.post(`/${id}/accept`, reviewer)).status).toBe(200);
  });

  it('has a unique id, even when the names are alike', async () => {
    const ids = new Set<string>();
    const long = 'The very long name of a region that goes on and on';
    for (const name of [`${long}, north`, `${long}, south`, 'A-B', 'A B']) {
      ids.add((await regions().findOrCreate(name, [0, 70, 1, 71])).id);
    }
    expect(ids.size).toBe(4);
  });

  it('is rejected when another region with its name has another box', async () => {
    await regions().findOrCreate('Taken', [0, 60, 1, 61]);
    await expect(regions().findOrCreate('Taken', [0, 60, 1, 62])).rejects.toThrow(
      /already exists with another bounding box/,
    );
  });

  it('is the destination of the open edits that move an artwork into it', async () => {
    edits.artwork = await createMarker(edits.server, { location: { lat: 52.1, lon: 5 } });
    const move = await edits.suggestEdit(edits.buildUpdate({ location: { lat: -20, lon: 60.5 } }));
    const elsewhere = await edits.suggestEdit(edits.buildUpdate({ location: { lat: -20, lon: 62 } }));
    const region = await edits.server
      .get(RegionCreationService)
      .create('Destination', [60, -21, 61, -19], () => undefined);
    const destinationOf = async (id: string): Promise<string | null> =>
      (await edits.server.entityManager.findOneByOrFail(Edit, { id })).destinationRegionId;
    expect([await destinationOf(move), await destinationOf(elsewhere)]).toEqual([region.id, null]);
  });
});
