import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { SearchIndexBackfillService } from '../../src/map/markers/search/search-index-backfill.service.js';
import { isPostgres } from '../support/database.js';
import { MapFixture } from '../support/map-fixture.js';

/** More than one batch. */
const MARKER_COUNT = 1_100;

describe('The search index after an update of the service', () => {
  let map: MapFixture;

  beforeAll(async () => {
    map = await MapFixture.start();
    const location = { lat: 1, lon: 1 };
    const create = (_: unknown, n: number) => ({ title: `Heron ${n}`, tags: ['bird'], location });
    await map.createMarkers(...Array.from({ length: MARKER_COUNT }, create));
  });
  afterAll(() => map.stop());

  it('is written again at the start, once by several processes', async () => {
    const before = await map.searchTitles({ q: 'heron', limit: 500 });
    expect(before).toHaveLength(MARKER_COUNT);
    await map.server.get(TransactionService).run(async (tx) => {
      await tx.query(`UPDATE marker_search SET text_format = 0, title_key = ''`);
      await tx.query(isPostgres ? `UPDATE marker_search SET lexemes = ''` : 'DELETE FROM marker_fts');
    });
    expect(await map.searchTitles({ q: 'heron' })).toEqual([]);
    const backfill = map.server.get(SearchIndexBackfillService);
    await Promise.all([backfill.onApplicationBootstrap(), backfill.onApplicationBootstrap()]);
    expect(await map.searchTitles({ q: 'heron', limit: 500 })).toEqual(before);
    expect(await map.searchTitles({ q: 'heron 7', tag: 'bird', limit: 1 })).toEqual([
      'Heron 7',
      ...before.filter((title) => /^Heron 7\d+$/.test(title)),
    ]);
  });
});
