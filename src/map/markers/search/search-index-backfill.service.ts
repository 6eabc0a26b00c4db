import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { MarkersStore } from '../markers.store.js';
import { MarkerIndexStore } from './marker-index.store.js';

/** Number of markers that are indexed together. */
const BATCH_SIZE = 500;

/**
 * Completes the search index at the start: creates it if the database has markers but no index, and
 * writes the entries of an older version of the service again.
 */
@Injectable()
export class SearchIndexBackfillService implements OnApplicationBootstrap {
  constructor(
    private readonly markers: MarkersStore,
    private readonly index: MarkerIndexStore,
    private readonly transactions: TransactionService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (await this.isIndexMissing())
      await this.transactions.runExclusive(async (tx) => {
        if (await this.isIndexMissing(tx)) await this.indexAll(tx);
      });
    for (let ids = await this.index.findOutdated(BATCH_SIZE); ids.length > 0;) {
      const batch = ids;
      await this.transactions.runExclusive((tx) => this.markers.refresh(tx, batch));
      ids = await this.index.findOutdated(BATCH_SIZE);
    }
  }

  private async isIndexMissing(tx?: EntityManager): Promise<boolean> {
    return (await this.index.isEmpty(tx)) && !(await this.markers.isEmpty(tx));
  }

  private async indexAll(tx: EntityManager): Promise<void> {
    for (let afterId = ''; ;) {
      const markers = await this.markers.findBatch(tx, afterId, BATCH_SIZE);
      await this.index.add(tx, markers);
      if (markers.length < BATCH_SIZE) return;
      afterId = markers.at(-1)!.id;
    }
  }
}
