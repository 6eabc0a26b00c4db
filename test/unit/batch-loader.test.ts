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
  let startAuthorization: () => void;
  let end: (error?: Error) => void = () => undefined;
  let next = new Promise<void>((resolve) => (startAuthorization = resolve));
  const batch = new BatchLoader<number, string>(async (items) => {
    rounds.push(items);
    const ended = new Promise<void>((resolve, reject) => (end = (error) => (error ? reject(error) : resolve())));
    startAuthorization();
    next = new Promise<void>((resolve) => (startAuthorization = resolve));
    await ended;
    return items.map((item) => `done ${item}`);
  });
  return { batch, rounds, begun: () => next, end: (error) => end(error) };
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

  it('rejects all items of a failed batch, and continues with the next batch', async () => {
    const { batch, begun, end } = createControlledBatch();
    const failing = [batch.enqueue(1), batch.enqueue(2)];
    await begun();
    const next = batch.enqueue(3);
    const second = begun();
    end(new Error('The disk is full.'));
    const settled = await Promise.allSettled(failing);
    expect(settled.map((one) => one.status === 'rejected' && (one.reason as Error).message)).toEqual([
      'The disk is full.',
      'The disk is full.',
    ]);
    await second;
    end();
    expect(await next).toBe('done 3');
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
