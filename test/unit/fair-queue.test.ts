import { beforeEach, describe, expect, it } from '@jest/globals';
import { FairQueue, QueueFullError, type TaskOptions } from '../../src/identity/accounts/fair-queue.js';

describe('FairQueue', () => {
  let queue: FairQueue;
  let started: string[];
  let finishers: (() => void)[];

  beforeEach(() => {
    queue = new FairQueue({
      concurrency: 2,
      places: { total: 6, perKey: 3 },
      keptPlaces: { total: 2, perKey: 1 },
    });
    [started, finishers] = [[], []];
  });

  /** Runs a task that ends when `finishNext` ends it. */
  const run = (key: string, name = key, options: TaskOptions = {}): Promise<string> =>
    queue.run(
      key,
      () => {
        started.push(name);
        return new Promise((resolve) => finishers.push(() => resolve(name)));
      },
      options,
    );
  const finishNext = (): Promise<void> => {
    finishers.shift()!();
    return new Promise(setImmediate);
  };
  const finishAll = async (): Promise<void> => {
    while (finishers.length > 0) await finishNext();
  };

  it('runs two tasks at the same time, and the next one when one ends', async () => {
    const tasks = ['1', '2', '3'].map((name) => run('a', name));
    expect(started).toEqual(['1', '2']);
    await finishNext();
    expect(started).toEqual(['1', '2', '3']);
    await finishAll();
    expect(await Promise.all(tasks)).toEqual(['1', '2', '3']);
  });

  it('gives the next turn to the newest key without a turn, however many tasks of one key wait', async () => {
    const tasks = ['1', '2', '3', '4', '5'].map((name) => run('a', name));
    tasks.push(run('b'), run('c'));
    await finishAll();
    expect(started).toEqual(['1', '2', 'c', 'b', '3', '4', '5']);
    await Promise.all(tasks);
  });

  it('starts the next task after one that fails', async () => {
    const failing = queue.run('a', () => Promise.reject(new Error('failed')));
    const tasks = [run('a', '1'), run('a', '2')];
    await expect(failing).rejects.toThrow('failed');
    expect(started).toEqual(['1', '2']);
    await finishAll();
    await Promise.all(tasks);
  });

  it('rejects a task of a key that holds half of the places', async () => {
    const tasks = ['1', '2', '3', '4', '5'].map((name) => run('a', name));
    await expect(run('a', '6')).rejects.toThrow(QueueFullError);
    tasks.push(run('b'));
    await finishAll();
    expect(started).not.toContain('6');
    await Promise.all(tasks);
  });

  it('gives the place of the newest task of the largest key to a smaller one, and never exceeds its size', async () => {
    const tasks = ['1', '2', '3', '4', '5'].map((name) => run('a', name));
    const other = ['1', '2', '3'].map((name) => run('b', `b${name}`));
    expect(queue.waitingCount).toBe(6);
    const replaced = expect(tasks.pop()).rejects.toThrow(QueueFullError);
    tasks.push(run('c'));
    await replaced;
    expect(queue.waitingCount).toBe(6);
    await finishAll();
    expect(started).toEqual(['1', '2', 'c', 'b1', 'b2', 'b3', '3', '4']);
    await Promise.all([...tasks, ...other]);
  });

  it('gives the place of the oldest of equal keys to a new one', async () => {
    const oldest = ['x', 'y', ...'abcdef'].map((key) => run(key)).splice(2, 1);
    const replaced = expect(oldest[0]).rejects.toThrow(QueueFullError);
    void run('g');
    await replaced;
    await finishAll();
    expect(started).toEqual(['x', 'y', ...'gfedcb']);
  });

  it('lets a new key pass the keys that repeat their tasks, and keeps its place', async () => {
    ['x', 'y', ...'abcdef'].forEach((key) => void run(key));
    await finishAll();
    started = [];
    const [, , oldest] = ['x', 'y', ...'abcde', 'new'].map((key) => run(key));
    const replaced = expect(oldest).rejects.toThrow(QueueFullError);
    void run('f');
    await replaced;
    await finishNext();
    expect(started).toEqual(['x', 'y', 'new']);
    await finishAll();
  });

  it('keeps places for tasks with priority, which take every second turn', async () => {
    const tasks = ['x', 'y', ...'abcdef'].map((key) => run(key));
    tasks.push(run('g', 'first kept', { hasPriority: true }), run('h', 'second kept', { hasPriority: true }));
    expect(queue.waitingCount).toBe(8);
    await finishAll();
    expect(started).toEqual(['x', 'y', 'second kept', 'f', 'first kept', ...'edcba']);
    await Promise.all(tasks);
  });

  it('gives a task with priority another place if its key has its share of the kept ones', async () => {
    const tasks = ['x', 'y'].map((key) => run(key));
    tasks.push(run('a', 'kept', { hasPriority: true }), run('a', 'other', { hasPriority: true }));
    tasks.push(run('b', 'b', { hasPriority: true }));
    await finishAll();
    expect(started).toEqual(['x', 'y', 'b', 'other', 'kept']);
    await Promise.all(tasks);
  });

  it('skips a task that is aborted while it waits, and gives its place away', async () => {
    const controller = new AbortController();
    const tasks = [run('a', '1'), run('a', '2')];
    const aborted = expect(run('a', '3', { signal: controller.signal })).rejects.toThrow('closed');
    tasks.push(run('a', '4'));
    controller.abort(new Error('closed'));
    await aborted;
    expect(queue.waitingCount).toBe(1);
    await finishAll();
    expect(started).toEqual(['1', '2', '4']);
    await Promise.all(tasks);
  });

  it('runs no task that was aborted before', async () => {
    await expect(run('a', 'a', { signal: AbortSignal.abort(new Error('closed')) })).rejects.toThrow('closed');
    expect(started).toEqual([]);
  });
});
