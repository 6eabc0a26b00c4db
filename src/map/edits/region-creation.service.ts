import { Injectable } from '@nestjs/common';
import { RegionBackfillService } from '../markers/region-backfill.service.js';
import type { BoundingBox } from '../regions/geo.js';
import type { Region } from '../regions/region.entity.js';
import { RegionsService } from '../regions/regions.service.js';
import { TransactionService } from '../../platform/database/transaction.service.js';
import { EditsStore } from './edits.store.js';

/** Creates regions for the operator. */
@Injectable()
export class RegionCreationService {
  constructor(
    private readonly regions: RegionsService,
    private readonly markers: RegionBackfillService,
    private readonly edits: EditsStore,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Creates a region and assigns it to the markers and open edits inside its box that have no
   * region. If a run was interrupted, the same call continues it.
   * @param onProgress called with the number of assigned markers and their total
   * @throws DomainError name_taken; invalid if the name or the box is invalid
   */
  async create(name: string, box: BoundingBox, onProgress: (done: number, total: number) => void): Promise<Region> {
    const region = await this.regions.findOrCreate(name, box);
    await this.markers.assignMarkers(region, onProgress);
    await this.assignOpenEdits(region);
    return region;
  }

  /**
   * Assigns the open edits, so that the reviewers of the region find them. Each edit has its own
   * transaction, which prevents deadlocks.
   */
  private async assignOpenEdits(region: Region): Promise<void> {
    for (const id of await this.edits.listUnassigned(region))
      await this.transactions.run((tx) => this.edits.assignRegion(tx, id, region));
    for (const id of await this.edits.listUnassignedMoves(region))
      await this.transactions.run((tx) => this.edits.assignDestination(tx, id, region));
  }
}
