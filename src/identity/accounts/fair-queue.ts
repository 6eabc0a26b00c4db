/** The limits of a FairQueue. */
export interface FairQueueLimits {
  /** Tasks that run at the same time. */
  concurrency: number;
  /** Tasks that wait, of all keys together. */
  maxWaiting: number;
  /** Tasks of one key that wait. */
  maxWaitingPerKey: number;
}

/** The queue has no place for a task. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

interface WaitingTask {
  start: () => void;
  reject: (reason: Error) => void;
}

/**
 * Runs tasks with limited concurrency. The keys take turns, so a key with one task waits for one
 * task of each other key at most. If every place is taken, a key with fewer tasks takes the place
 * of the newest task of the key with the most.
 */
export class FairQueue {
  /** Waiting tasks by key, in the order of the next turns. */
  private readonly waiting = new Map<string, WaitingTask[]>();
  private waitingTotal = 0;
  private runningTotal = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Number of tasks that wait. */
  get waitingCount(): number {
    return this.waitingTotal;
  }

  /** Whether `run` would accept a task of the key now. */
  hasPlace(key: string): boolean {
    const count = this.waiting.get(key)?.length ?? 0;
    if (count >= this.limits.maxWaitingPerKey) return false;
    return this.waitingTotal < this.limits.maxWaiting || this.findLargest()[1].length > count + 1;
  }

  /**
   * Waits for a turn of the key, then runs the task.
   * @param signal removes the task from the queue, until the task starts
   * @throws QueueFullError if the queue has no place, or another key took the place
   * @throws the reason of the signal
   */
  async run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.runningTotal < this.limits.concurrency) this.runningTotal++;
    else await this.waitForTurn(key, signal);
    try {
      signal?.throwIfAborted();
      return await task();
    } finally {
      this.startNext();
    }
  }

  private waitForTurn(key: string, signal?: AbortSignal): Promise<void> {
    this.assertPlace(key);
    return new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        this.remove(key, task);
        reject(signal!.reason as Error);
      };
      const task: WaitingTask = {
        start: () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
        reject,
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.add(key, task);
    });
  }

  private add(key: string, task: WaitingTask): void {
    const tasks = this.waiting.get(key);
    if (tasks) tasks.push(task);
    else this.waiting.set(key, [task]);
    this.waitingTotal++;
  }

  /** Takes a place from the key with the most tasks, if necessary. @throws QueueFullError */
  private assertPlace(key: string): void {
    if (!this.hasPlace(key)) throw new QueueFullError();
    if (this.waitingTotal < this.limits.maxWaiting) return;
    const [largestKey, tasks] = this.findLargest();
    const newest = tasks.at(-1)!;
    this.remove(largestKey, newest);
    newest.reject(new QueueFullError());
  }

  /** Returns the key with the most waiting tasks. */
  private findLargest(): [string, WaitingTask[]] {
    return [...this.waiting].reduce((one, other) => (other[1].length > one[1].length ? other : one));
  }

  /** Starts a task of the next key, whose other tasks then wait behind those of all other keys. */
  private startNext(): void {
    const next = this.waiting.entries().next().value;
    if (!next) {
      this.runningTotal--;
      return;
    }
    const [key, [task, ...rest]] = next;
    this.waiting.delete(key);
    if (rest.length > 0) this.waiting.set(key, rest);
    this.waitingTotal--;
    task!.start();
  }

  private remove(key: string, task: WaitingTask): void {
    const tasks = this.waiting.get(key) ?? [];
    const rest = tasks.filter((other) => other !== task);
    this.waitingTotal -= tasks.length - rest.length;
    if (rest.length > 0) this.waiting.set(key, rest);
    else this.waiting.delete(key);
  }
}
