import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { TransactionService } from '../../../platform/database/transaction.service.js';
import { EventLogger } from '../../../platform/logging/event-logger.js';
import { MarkersStore } from '../markers.store.js';
import { MarkerIndexStore } from './marker-index.store.js';

/** Number of markers that are indexed together. */
const BATCH_SIZE = 500;

/** Number of updated markers after which the progress is logged again. */
const PROGRESS_INTERVAL = 50_000;

/**
 * Completes the search index at the start: creates it if the database has markers but no index, and
 * writes the entries of an older version of the service again.
 */
@Injectable()
export class SearchIndexBackfillService implements OnApplicationBootstrap {
  private readonly logger = new EventLogger(SearchIndexBackfillService.name);

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
    await this.updateOutdated();
  }

  /**
   * Writes the outdated entries again, in small transactions. Several processes share the work, and
   * the next start continues it.
   */
  private async updateOutdated(): Promise<void> {
    const total = await this.index.countOutdated();
    let [done, logged] = [0, 0];
    for (let count = total; count > 0;) {
      count = await this.transactions.runExclusive((tx) => this.updateBatch(tx));
      done += count;
      if (done === logged || (count > 0 && done - logged < PROGRESS_INTERVAL)) continue;
      this.logger.log('search_index_updated', 'The search index was updated.', { count: done, total });
      logged = done;
    }
  }

  private async updateBatch(tx: EntityManager): Promise<number> {
    const ids = await this.index.findOutdated(tx, BATCH_SIZE);
    await this.markers.refresh(tx, ids);
    return ids.length;
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
