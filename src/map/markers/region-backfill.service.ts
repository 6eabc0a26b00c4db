import { Injectable } from '@nestjs/common';
import { TransactionService } from '../../platform/database/transaction.service.js';
import type { Region } from '../regions/region.entity.js';
import { MarkerRegionsStore } from './marker-regions.store.js';

/** Number of markers per transaction. */
const BATCH_SIZE = 1000;

/** Assigns a new region to existing markers. A marker gets its region when it is written. */
@Injectable()
export class RegionBackfillService {
  constructor(
    private readonly markers: MarkerRegionsStore,
    private readonly transactions: TransactionService,
  ) {}

  /** Assigns the region in batches. If it is interrupted, the next call continues. */
  async assignMarkers(region: Region, onProgress: (done: number, total: number) => void): Promise<void> {
    const total = await this.markers.countUnassigned(region);
    for (let done = 0, last = 0; ;) {
      const after = last;
      const seqs = await this.transactions.run((tx) => this.markers.assignRegion(tx, region, after, BATCH_SIZE));
      if (seqs.length === 0) return;
      [done, last] = [done + seqs.length, seqs.at(-1)!];
      onProgress(done, total);
    }
  }
}
