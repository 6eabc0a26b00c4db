import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { setTimeout as pass } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { Transactions } from '../database/transactions.js';
import { BATCH } from './stale-rows.js';
import { STALE } from './what-is-stale.js';

/** Milliseconds between two batches, for everybody else. */
const PAUSE = 50;

/** How a clean-up is followed and ended. */
interface Watch {
  /** Is told how many of the stale rows are gone. */
  follow?: (done: number) => void;
  /** Ends it after the batch at hand; the rest is for another time. */
  signal?: AbortSignal;
}

/** Deletes the rows that can no longer matter to anybody. */
@Injectable()
export class CleanUp {
  constructor(
    @InjectEntityManager() private readonly manager: EntityManager,
    private readonly transactions: Transactions,
  ) {}

  /** How many rows are stale. */
  async count(): Promise<number> {
    let total = 0;
    for (const rows of STALE) total += await rows.count(this.manager);
    return total;
  }

  /**
   * Deletes in small batches, each in a transaction of its own, so that nobody waits for long. Batches of several processes
   * take turns: each sees whole chains.
   * @returns how many rows are gone, with those that went along
   */
  async run({ follow, signal }: Watch = {}): Promise<number> {
    let [done, gone] = [0, 0];
    for (const rows of STALE) {
      for (let isMore = true; isMore && !signal?.aborted;) {
        const { stale, deleted } = await this.transactions.runAlone((tx) => rows.deleteSome(tx));
        [done, gone] = [done + stale, gone + deleted];
        isMore = stale === BATCH;
        if (stale > 0) follow?.(done);
        if (isMore) await pass(PAUSE, undefined, { ...(signal && { signal }) }).catch(() => undefined);
      }
    }
    return gone;
  }
}
