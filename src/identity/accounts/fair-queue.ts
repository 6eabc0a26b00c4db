/** The limits of a FairQueue. */
export interface FairQueueLimits {
  /** Tasks that run at the same time. */
  concurrency: number;
  /** Tasks that wait in a place for all. */
  places: PlaceLimits;
  /** Tasks that wait in a place kept for tasks with priority. */
  keptPlaces: PlaceLimits;
}

/** The limits of places of one kind. */
export interface PlaceLimits {
  /** Tasks that wait, of all keys together. */
  total: number;
  /** Tasks of one key that wait. */
  perKey: number;
}

/** How a task waits. */
export interface TaskOptions {
  /** Removes the task from the queue, until the task starts. */
  signal?: AbortSignal;
  /** Whether the task may take a kept place. */
  hasPriority?: boolean;
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
 * of the newest task of the key with the most. The kept places and the others take turns too.
 */
export class FairQueue {
  private readonly places: Places;
  private readonly keptPlaces: Places;
  private isKeptTurn = true;
  private runningTotal = 0;

  constructor(private readonly limits: FairQueueLimits) {
    this.places = new Places(limits.places);
    this.keptPlaces = new Places(limits.keptPlaces);
  }

  /** Number of tasks that wait. */
  get waitingCount(): number {
    return this.places.count + this.keptPlaces.count;
  }

  /**
   * Waits for a turn of the key, then runs the task.
   * @throws QueueFullError if the queue has no place, or another key took the place
   * @throws the reason of the signal
   */
  async run<T>(key: string, task: () => Promise<T>, options: TaskOptions = {}): Promise<T> {
    const { signal, hasPriority = false } = options;
    signal?.throwIfAborted();
    if (this.runningTotal < this.limits.concurrency) this.runningTotal++;
    else {
      const isKept = hasPriority && this.keptPlaces.hasPlace(key);
      await waitForTurn(isKept ? this.keptPlaces : this.places, key, signal);
    }
    try {
      signal?.throwIfAborted();
      return await task();
    } finally {
      this.startNext();
    }
  }

  private startNext(): void {
    const [first, second] = this.isKeptTurn ? [this.keptPlaces, this.places] : [this.places, this.keptPlaces];
    const next = first.takeNext() ?? second.takeNext();
    this.isKeptTurn = !this.isKeptTurn;
    if (next) next.start();
    else this.runningTotal--;
  }
}

function waitForTurn(places: Places, key: string, signal?: AbortSignal): Promise<void> {
  places.assertPlace(key);
  return new Promise<void>((resolve, reject) => {
    const abort = (): void => {
      places.remove(key, task);
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
    places.add(key, task);
  });
}

/** The waiting tasks of one kind of place. */
class Places {
  /** Waiting tasks by key, in the order of the next turns. */
  private readonly waiting = new Map<string, WaitingTask[]>();
  private total = 0;

  constructor(private readonly limits: PlaceLimits) {}

  get count(): number {
    return this.total;
  }

  /** Whether a task of the key can wait. */
  hasPlace(key: string): boolean {
    const count = this.waiting.get(key)?.length ?? 0;
    if (count >= this.limits.perKey) return false;
    return this.total < this.limits.total || this.findLargest()[1].length > count + 1;
  }

  /** Takes a place from the key with the most tasks, if necessary. @throws QueueFullError */
  assertPlace(key: string): void {
    if (!this.hasPlace(key)) throw new QueueFullError();
    if (this.total < this.limits.total) return;
    const [largestKey, tasks] = this.findLargest();
    const newest = tasks.at(-1)!;
    this.remove(largestKey, newest);
    newest.reject(new QueueFullError());
  }

  add(key: string, task: WaitingTask): void {
    const tasks = this.waiting.get(key);
    if (tasks) tasks.push(task);
    else this.waiting.set(key, [task]);
    this.total++;
  }

  /** Removes a task of the next key, whose other tasks then wait behind those of all other keys. */
  takeNext(): WaitingTask | undefined {
    const next = this.waiting.entries().next().value;
    if (!next) return undefined;
    const [key, [task, ...rest]] = next;
    this.waiting.delete(key);
    if (rest.length > 0) this.waiting.set(key, rest);
    this.total--;
    return task;
  }

  remove(key: string, task: WaitingTask): void {
    const tasks = this.waiting.get(key) ?? [];
    const rest = tasks.filter((other) => other !== task);
    this.total -= tasks.length - rest.length;
    if (rest.length > 0) this.waiting.set(key, rest);
    else this.waiting.delete(key);
  }

  /** Returns the key with the most waiting tasks. */
  private findLargest(): [string, WaitingTask[]] {
    return [...this.waiting].reduce((one, other) => (other[1].length > one[1].length ? other : one));
  }
}
