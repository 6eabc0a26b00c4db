import { describe, expect, it } from '@jest/globals';
import { BatchLoader } from '../../src/platform/database/batch-loader.js';

/** A loader whose batches wait until the test releases them. */
function createControlledBatch(): {
  batch: BatchLoader<number, string>;
  rounds: number[][];
  begun: () => Promise<void>;
  end: (error?: Error) => void;
} {
  const rounds: number[][] = [];
  let markBegun: () => void;
  let end: (error?: Error) => void = () => undefined;
  let next = new Promise<void>((resolve) => (markBegun = resolve));
  const batch = new BatchLoader<number, string>(async (items) => {
    rounds.push(items);
    const ended = new Promise<void>((resolve, reject) => (end = (error) => (error ? reject(error) : resolve())));
    markBegun();
    next = new Promise<void>((resolve) => (markBegun = resolve));
    await ended;
    return items.map((item) => `done ${item}`);
  });
  return { batch, rounds, begun: () => next, end: (error) => end(error) };
}

/** A point at which a batch waits until the test releases it. */
class Checkpoint {
  markReached!: () => void;
  release!: () => void;
  readonly reached = new Promise<void>((resolve) => (this.markReached = resolve));
  readonly released = new Promise<void>((resolve) => (this.release = resolve));
}

describe('BatchLoader', () => {
  it('processes simultaneous items in one batch, and returns to each its own result', async () => {
    const rounds: number[][] = [];
    const batch = new BatchLoader<number, number>((items) => {
      rounds.push(items);
      return Promise.resolve(items.map((item) => item * 10));
    });
    expect(await Promise.all([3, 1, 2, 1].map((item) => batch.enqueue(item)))).toEqual([30, 10, 20, 10]);
    expect(rounds).toEqual([[3, 1, 2, 1]]);
  });

  it('processes items that arrive during a batch in the next one, and never two batches at once', async () => {
    const { batch, rounds, begun, end } = createControlledBatch();
    const first = batch.enqueue(1);
    await begun();
    const later = [batch.enqueue(2), batch.enqueue(3)];
    expect(rounds).toEqual([[1]]);
    const second = begun();
    end();
    expect(await first).toBe('done 1');
    await second;
    end();
    expect(await Promise.all(later)).toEqual(['done 2', 'done 3']);
    expect(rounds).toEqual([[1], [2, 3]]);
  });

  it('runs the items of a failed batch alone, and rejects only the item with the error', async () => {
    const batches: number[][] = [];
    const batch = new BatchLoader<number, string>((items) => {
      batches.push(items);
      if (items.includes(2)) return Promise.reject(new Error('2 is not valid.'));
      return Promise.resolve(items.map((item) => `done ${item}`));
    });
    const settled = await Promise.allSettled([1, 2, 3].map((item) => batch.enqueue(item)));
    expect(settled).toEqual([
      { status: 'fulfilled', value: 'done 1' },
      { status: 'rejected', reason: new Error('2 is not valid.') },
      { status: 'fulfilled', value: 'done 3' },
    ]);
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it('starts the next batch while a slow one runs, up to the limit of concurrent batches', async () => {
    const slow = new Checkpoint();
    const second = new Checkpoint();
    const checkpoints = new Map([
      [1, slow],
      [2, second],
    ]);
    const started: number[] = [];
    const batch = new BatchLoader<number, number>(
      async ([item]) => {
        started.push(item!);
        checkpoints.get(item!)?.markReached();
        await checkpoints.get(item!)?.released;
        return [item!];
      },
      { maxConcurrentBatches: 2 },
    );
    const first = batch.enqueue(1);
    await slow.reached;
    const next = batch.enqueue(2);
    await second.reached;
    const third = batch.enqueue(3);
    second.release();
    expect(await Promise.all([next, third])).toEqual([2, 3]);
    expect(started).toEqual([1, 2, 3]);
    slow.release();
    expect(await first).toBe(1);
  });

  it('rejects the queued items too when the database is unavailable, and continues with later ones', async () => {
    const { batch, begun, end } = createControlledBatch();
    const first = batch.enqueue(1);
    await begun();
    const waiting = batch.enqueue(2);
    const away = Object.assign(new Error('Nobody is there.'), { code: 'ECONNREFUSED' });
    end(away);
    expect(await Promise.allSettled([first, waiting])).toEqual([
      { status: 'rejected', reason: away },
      { status: 'rejected', reason: away },
    ]);
    const later = batch.enqueue(3);
    await begun();
    end();
    expect(await later).toBe('done 3');
  });

  it('processes at most five hundred items in a batch', async () => {
    const sizes: number[] = [];
    const batch = new BatchLoader<number, number>((items) => {
      sizes.push(items.length);
      return Promise.resolve(items);
    });
    await Promise.all(Array.from({ length: 1200 }, (_, index) => batch.enqueue(index)));
    expect(sizes).toEqual([500, 500, 200]);
  });
});
