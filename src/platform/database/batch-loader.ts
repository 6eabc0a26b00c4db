import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDatabaseOutage } from './database-unavailable.js';

/** Limit of items per batch. */
const MAX_BATCH_SIZE = 500;

/**
 * Processes items in batches: items that arrive during a batch form the next one. So concurrent
 * requests share one statement or one commit, and each costs less under load.
 *
 * If a batch fails, all of its items fail. If the database is unavailable, the queued items fail
 * too.
 */
export class BatchLoader<Item, Result> {
  private queue: QueuedItem<Item, Result>[] = [];
  private isRunning = false;

  /**
   * @param processItems processes one batch and returns a result for each item, in order
   * @param onBatch called with the size of each batch
   */
  constructor(
    private readonly processItems: (items: Item[]) => Promise<Result[]>,
    private readonly onBatch: (size: number) => void = () => undefined,
  ) {}

  enqueue(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      if (!this.isRunning) void this.drainQueue();
    });
  }

  private async drainQueue(): Promise<void> {
    this.isRunning = true;
    while (this.queue.length > 0) {
      await this.waitForMoreItems();
      await this.processBatch(this.queue.splice(0, MAX_BATCH_SIZE));
    }
    this.isRunning = false;
  }

  /** Waits while each turn of the event loop adds items. */
  private async waitForMoreItems(): Promise<void> {
    for (let before = 0; before < this.queue.length && before < MAX_BATCH_SIZE;) {
      before = this.queue.length;
      await nextTurn();
    }
  }

  private async processBatch(batch: QueuedItem<Item, Result>[]): Promise<void> {
    this.onBatch(batch.length);
    try {
      const results = await this.processItems(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      const failed = isDatabaseOutage(error) ? [...batch, ...this.queue.splice(0)] : batch;
      for (const { reject } of failed) reject(error);
    }
  }
}

interface QueuedItem<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}
