import { describe, expect, it } from '@jest/globals';
import { BatchLoader } from '../../src/platform/database/batch-loader.js';

/** A batch whose rounds end when they are let go. */
function createControlledBatch(): {
  batch: BatchLoader<number, string>;
  rounds: number[][];
  begun: () => Promise<void>;
  end: (error?: Error) => void;
} {
  const rounds: number[][] = [];
  let begin: () => void;
  let end: (error?: Error) => void = () => undefined;
  let next = new Promise<void>((resolve) => (begin = resolve));
  const batch = new BatchLoader<number, string>(async (items) => {
    rounds.push(items);
    const ended = new Promise<void>((resolve, reject) => (end = (error) => (error ? reject(error) : resolve())));
    begin();
    next = new Promise<void>((resolve) => (begin = resolve));
    await ended;
    return items.map((item) => `done ${item}`);
  });
  return { batch, rounds, begun: () => next, end: (error) => end(error) };
}

describe('A batch', () => {
  it('does together what comes at the same time, and gives each its own result', async () => {
    const rounds: number[][] = [];
    const batch = new BatchLoader<number, number>((items) => {
      rounds.push(items);
      return Promise.resolve(items.map((item) => item * 10));
    });
    expect(await Promise.all([3, 1, 2, 1].map((item) => batch.enqueue(item)))).toEqual([30, 10, 20, 10]);
    expect(rounds).toEqual([[3, 1, 2, 1]]);
  });

  it('lets who comes while a round runs wait for the next, and never runs two', async () => {
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

  it('tells all of a round that fails, and goes on with the next', async () => {
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

  it('that finds the database away tells so to those as well who wait, and goes on with who comes later', async () => {
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

  it('takes on five hundred at most in a round', async () => {
    const sizes: number[] = [];
    const batch = new BatchLoader<number, number>((items) => {
      sizes.push(items.length);
      return Promise.resolve(items);
    });
    await Promise.all(Array.from({ length: 1200 }, (_, at) => batch.enqueue(at)));
    expect(sizes).toEqual([500, 500, 200]);
  });
});
