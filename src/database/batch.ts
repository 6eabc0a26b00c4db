import { setImmediate as nextTurn } from 'node:timers/promises';
import { isAwayForAll } from './database-away.js';

/** How much one round takes on at most. */
const MOST = 500;

/**
 * Work of one kind that many wait for: while one round of it runs, all who come wait for the next, and are then done
 * together. So the more wait, the less each costs: one statement or one commit is shared by all of a round. A round that
 * fails, fails for all in it; and where the database is away, for those as well who waited to see it.
 */
export class Batch<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private isRunning = false;

  /**
   * @param work does one round: a result for each item, in their order
   * @param follow is told how many are in each round
   */
  constructor(
    private readonly work: (items: Item[]) => Promise<Result[]>,
    private readonly follow: (size: number) => void = () => undefined,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) {
      await this.gather();
      await this.round(this.waiting.splice(0, MOST));
    }
    this.isRunning = false;
  }

  /** Waits for those who are on their way, as long as each turn of the event loop brings more: none, unless it is busy. */
  private async gather(): Promise<void> {
    for (let before = 0; before < this.waiting.length && before < MOST;) {
      before = this.waiting.length;
      await nextTurn();
    }
  }

  private async round(all: Waiting<Item, Result>[]): Promise<void> {
    this.follow(all.length);
    try {
      const results = await this.work(all.map(({ item }) => item));
      all.forEach(({ resolve }, at) => resolve(results[at] as Result));
    } catch (error) {
      const failed = isAwayForAll(error) ? [...all, ...this.waiting.splice(0)] : all;
      for (const { reject } of failed) reject(error);
    }
  }
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}
