import { TransactionService } from '../../src/platform/database/transaction.service.js';
import type { ChangeAuthor } from '../../src/map/history/history.service.js';
import type { ArtistFields } from '../../src/map/artists/artist.dto.js';
import { ArtistsStore } from '../../src/map/artists/artists.store.js';
import type { ArtworkFields } from '../../src/map/markers/marker.dto.js';
import type { Marker } from '../../src/map/markers/marker.entity.js';
import { MarkersStore } from '../../src/map/markers/markers.store.js';
import { type NewMarker } from '../../src/map/markers/marker-row.js';
import { RegionsService } from '../../src/map/regions/regions.service.js';
import { SEARCH_ADAPTER, type SearchAdapter } from '../../src/map/markers/search/search-adapter.js';
import { generateId } from '../../src/platform/database/ids.js';
import { type SearchQuery, toQueryString } from './search-oracle.js';
import { createAccount, createArtist, issueAccessToken } from './factories.js';
import { isPostgres } from './database.js';
import { type TestResponse, type ResponseBody, fetchAllPages, TestServer } from './test-server.js';

/** A server with its own map, and the operations of the tests on it. */
export class MapFixture {
  private constructor(
    readonly server: TestServer,
    readonly token: string,
    private readonly authorId: string,
  ) {}

  static async start(): Promise<MapFixture> {
    const service = await TestServer.start();
    const token = await issueAccessToken(service, ['markers:read', 'artists:read']);
    return new MapFixture(service, token, (await createAccount(service)).id);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  get(path: string, headers: Record<string, string> = {}): Promise<TestResponse> {
    return this.server.request('GET', `/api${path}`, { token: this.token, headers });
  }

  search(query: SearchQuery): Promise<TestResponse> {
    return this.get(`/markers?${toQueryString(query)}`);
  }

  async searchTitles(query: SearchQuery): Promise<string[]> {
    return (await this.searchAllPages(query)).map(({ title }: ResponseBody) => title as string);
  }

  /** Returns the results of all pages. */
  async searchAllPages(query: SearchQuery, path = '/markers'): Promise<ResponseBody[]> {
    return fetchAllPages((cursor) => this.get(`${path}?${toQueryString({ ...query, ...(cursor && { cursor }) })}`));
  }

  /** Creates markers in one transaction, in order. */
  createMarkers(...markers: NewMarker[]): Promise<Marker[]> {
    return this.server.get(TransactionService).run((tx) => this.server.get(MarkersStore).createMany(tx, markers));
  }

  updateMarker(id: string, fields: ArtworkFields): Promise<void> {
    return this.server.get(TransactionService).run(async (tx) => {
      const markers = this.server.get(MarkersStore);
      await markers.update(tx, (await markers.findForUpdate(tx, id))!, fields, this.createAuthorship());
    });
  }

  updateArtist(id: string, fields: ArtistFields): Promise<void> {
    return this.server.get(TransactionService).run(async (tx) => {
      const artists = this.server.get(ArtistsStore);
      await artists.update(tx, (await artists.findForUpdate(tx, id))!, fields, this.createAuthorship());
    });
  }

  setDeleted(id: string, isDeleted: boolean): Promise<void> {
    return this.server.get(TransactionService).run(async (tx) => {
      const markers = this.server.get(MarkersStore);
      await markers.setDeleted(
        tx,
        (await markers.findForUpdate(tx, id))!,
        isDeleted ? new Date() : null,
        this.createAuthorship(),
      );
    });
  }

  /**
   * Sets the row counts from which a search is dense, so that a small map uses the plan of a large
   * one.
   */
  setDensityThresholds({ few, many }: DensityThresholds): DensityThresholds {
    const { limits } = this.server.get<SearchAdapter>(SEARCH_ADAPTER as never);
    const before = { few: limits.rowsToSort, many: limits.rowsToSortAfterScan };
    Object.assign(limits, { rowsToSort: few, rowsToSortAfterScan: many, rowsToRank: few });
    return before;
  }

  /** Moves the sequence of markers far beyond the existing ones. */
  async skipSequenceTo(next: number): Promise<void> {
    const [{ id }] = (await this.createMarkers({ title: 'far away', location: { lat: 0, lon: 0 } })) as [Marker];
    await this.setDeleted(id, true);
    await this.server.get(TransactionService).run(async (tx) => {
      await tx.query(`UPDATE marker_search SET row_number = ${next} WHERE marker_id = '${id}'`);
      if (!isPostgres) return;
      await tx.query(`ALTER TABLE marker_search ALTER COLUMN row_number RESTART WITH ${next + 1}`);
    });
  }

  async createRegionsAndArtists(): Promise<{ regions: string[]; artists: string[] }> {
    const regions = this.server.get(RegionsService);
    const [one, other] = [
      await regions.findOrCreate('One', [4.9, 52, 5, 53]),
      await regions.findOrCreate('Two', [179, -17, -179, -16]),
    ];
    const artists = [await createArtist(this.server), await createArtist(this.server), await createArtist(this.server)];
    return { regions: [one.id, other.id], artists: artists.map(({ id }) => id) };
  }

  private createAuthorship(): ChangeAuthor {
    return { editId: generateId('edt'), authorId: this.authorId, createdAt: new Date() };
  }
}

export interface DensityThresholds {
  few: number;
  many: number;
}
