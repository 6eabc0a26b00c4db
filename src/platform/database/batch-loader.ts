import type { Request } from 'express';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { getCurrentRequest, runWithRequest } from '../logging/request-context.js';
import { getTracer } from '../tracing/tracing.js';
import { isDatabaseOutage } from './database-unavailable.js';

/** Limit of items per batch. */
const MAX_BATCH_SIZE = 500;

/**
 * Milliseconds after which the next batch starts although one is running. A batch usually ends
 * sooner, and large batches cost less per item.
 */
const OVERLAP_DELAY_MS = 25;

/** Milliseconds for which the items of a failed batch run alone. */
const SPLIT_TIMEOUT_MS = 10_000;

/** Number of running batches of all loaders. */
let runningBatches = 0;

/**
 * Waits until no batch runs, or until the time is over. It checks in each turn of the event loop,
 * so it is for SQLite, whose batches need only a few turns.
 */
export async function waitForBatches(timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (runningBatches > 0 && performance.now() < deadline) await nextTurn();
}

interface BatchLoaderOptions {
  /** Called with the size of each batch. */
  onBatch?: (size: number) => void;
  /** Limit of batches at the same time. */
  maxConcurrentBatches?: number;
}

/**
 * Processes items in batches: items that arrive during a batch form the next one. So concurrent
 * requests share one statement or one commit, and each costs less under load.
 *
 * A slow batch delays the next one for 25 ms at most, up to the limit of concurrent batches. If a
 * batch fails, its items run alone, so that only the item with the error fails. If the database is
 * unavailable, the items of the batch and of the queue fail.
 */
export class BatchLoader<Item, Result> {
  private queue: QueuedItem<Item, Result>[] = [];
  private runningCount = 0;
  private overlapTimer: NodeJS.Timeout | undefined;
  private readonly onBatch: (size: number) => void;
  private readonly maxConcurrentBatches: number;

  /** @param processItems processes one batch and returns a result for each item, in order */
  constructor(
    private readonly processItems: (items: Item[]) => Promise<Result[]>,
    { onBatch = () => undefined, maxConcurrentBatches = 1 }: BatchLoaderOptions = {},
  ) {
    this.onBatch = onBatch;
    this.maxConcurrentBatches = maxConcurrentBatches;
  }

  enqueue(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.queue.push({ item, request: getCurrentRequest(), resolve, reject });
      this.startBatches();
    });
  }

  private startBatches(): void {
    if (this.queue.length === 0) return;
    if (this.runningCount === 0) void this.runBatch();
    else if (this.runningCount < this.maxConcurrentBatches)
      this.overlapTimer ??= setTimeout(() => void this.runBatch(), OVERLAP_DELAY_MS);
  }

  private async runBatch(): Promise<void> {
    clearTimeout(this.overlapTimer);
    this.overlapTimer = undefined;
    this.runningCount++;
    runningBatches++;
    await this.waitForMoreItems();
    const batch = this.queue.splice(0, MAX_BATCH_SIZE);
    this.startBatches();
    if (batch.length > 0) await this.processBatch(batch);
    this.runningCount--;
    runningBatches--;
    this.startBatches();
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
      const items = batch.map(({ item }) => item);
      const results = await runWithRequest(selectRequest(batch), () => this.processItems(items));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (isDatabaseOutage(error)) rejectAll([...batch, ...this.queue.splice(0)], error);
      else if (batch.length === 1) rejectAll(batch, error);
      else await this.processAlone(batch, error);
    }
  }

  /** Processes the items one after the other, until the timeout. The others fail with the error. */
  private async processAlone(batch: QueuedItem<Item, Result>[], batchError: unknown): Promise<void> {
    const deadline = performance.now() + SPLIT_TIMEOUT_MS;
    for (const queued of batch) {
      if (performance.now() < deadline) await this.processBatch([queued]);
      else queued.reject(batchError);
    }
  }
}

interface QueuedItem<Item, Result> {
  item: Item;
  /** The request that waits for the result. */
  request: Request | undefined;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Returns the request that the log lines and spans of a batch belong to. */
function selectRequest(batch: { request: Request | undefined }[]): Request | undefined {
  return getTracer()?.selectRequest(batch.map(({ request }) => request)) ?? batch[0]?.request;
}

function rejectAll<Item, Result>(items: QueuedItem<Item, Result>[], error: unknown): void {
  for (const { reject } of items) reject(error);
}
