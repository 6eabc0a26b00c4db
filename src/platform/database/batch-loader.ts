import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDatabaseOutage } from './database-unavailable.js';

/** How much one round takes on at most. */
const MAX_BATCH_SIZE = 500;

/**
 * Work of one kind that many wait for: while one round of it runs, all who come wait for the next, and are then done
 * together. So the more wait, the less each costs: one statement or one commit is shared by all of a round. A round that
 * fails, fails for all in it; and where the database is away, for those as well who waited to see it.
 */
export class BatchLoader<Item, Result> {
  private queue: QueuedItem<Item, Result>[] = [];
  private isRunning = false;

  /**
   * @param processItems does one round: a result for each item, in their order
   * @param onBatch is told how many are in each round
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

  /** Waits for those who are on their way, as long as each turn of the event loop brings more: none, unless it is busy. */
  private async waitForMoreItems(): Promise<void> {
    for (let before = 0; before < this.queue.length && before < MAX_BATCH_SIZE;) {
      before = this.queue.length;
      await nextTurn();
    }
  }

  private async processBatch(all: QueuedItem<Item, Result>[]): Promise<void> {
    this.onBatch(all.length);
    try {
      const results = await this.processItems(all.map(({ item }) => item));
      all.forEach(({ resolve }, at) => resolve(results[at] as Result));
    } catch (error) {
      const failed = isDatabaseOutage(error) ? [...all, ...this.queue.splice(0)] : all;
      for (const { reject } of failed) reject(error);
    }
  }
}

interface QueuedItem<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}
