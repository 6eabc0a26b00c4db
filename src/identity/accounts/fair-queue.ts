import { LRUCache } from 'lru-cache';

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

/** Keys whose tasks are counted. */
const MAX_COUNTED_KEYS = 10_000;

/** Time for which the tasks of a key are counted, from the first one: 10 minutes. */
const COUNT_WINDOW_MS = 600_000;

/**
 * Runs tasks with limited concurrency. The next turn belongs to the key with the fewest tasks in
 * the last 10 minutes, and of equal ones to the key that came last. Tasks count whether they ran or
 * not, so a new key waits neither for keys that repeat their tasks nor for many that came before.
 * If every place is taken, a task takes the place of the newest task of the key with the most. The
 * kept places and the others take turns.
 */
export class FairQueue {
  private readonly taskCounts = new LRUCache<string, number>({
    max: MAX_COUNTED_KEYS,
    ttl: COUNT_WINDOW_MS,
    noUpdateTTL: true,
  });
  private readonly places: Places;
  private readonly keptPlaces: Places;
  private isKeptTurn = true;
  private runningTotal = 0;

  constructor(private readonly limits: FairQueueLimits) {
    const countTasks = (key: string): number => this.taskCounts.get(key) ?? 0;
    this.places = new Places(limits.places, countTasks);
    this.keptPlaces = new Places(limits.keptPlaces, countTasks);
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
    this.taskCounts.set(key, (this.taskCounts.get(key) ?? 0) + 1);
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
  /** Waiting tasks by key, in the order of the first task that waits. */
  private readonly waiting = new Map<string, WaitingTask[]>();
  private total = 0;

  constructor(
    private readonly limits: PlaceLimits,
    private readonly countTasks: (key: string) => number,
  ) {}

  get count(): number {
    return this.total;
  }

  /** Whether a task of the key, which is already counted, can wait. */
  hasPlace(key: string): boolean {
    if ((this.waiting.get(key)?.length ?? 0) >= this.limits.perKey) return false;
    if (this.total < this.limits.total) return true;
    const largestKey = this.findLargest();
    return largestKey !== key && this.countTasks(largestKey) >= this.countTasks(key);
  }

  /** Takes a place from the key with the most tasks, if necessary. @throws QueueFullError */
  assertPlace(key: string): void {
    if (!this.hasPlace(key)) throw new QueueFullError();
    if (this.total < this.limits.total) return;
    const largestKey = this.findLargest();
    const newest = this.waiting.get(largestKey)!.at(-1)!;
    this.remove(largestKey, newest);
    newest.reject(new QueueFullError());
  }

  add(key: string, task: WaitingTask): void {
    this.waiting.set(key, [...(this.waiting.get(key) ?? []), task]);
    this.total++;
  }

  /** Removes a task of the next key. */
  takeNext(): WaitingTask | undefined {
    if (this.total === 0) return undefined;
    const key = [...this.waiting.keys()].reduce((one, other) =>
      this.countTasks(other) <= this.countTasks(one) ? other : one,
    );
    const [task] = this.waiting.get(key)!;
    this.remove(key, task!);
    return task;
  }

  remove(key: string, task: WaitingTask): void {
    const tasks = this.waiting.get(key) ?? [];
    const rest = tasks.filter((other) => other !== task);
    this.total -= tasks.length - rest.length;
    if (rest.length > 0) this.waiting.set(key, rest);
    else this.waiting.delete(key);
  }

  /** Returns the waiting key with the most tasks, and of equal ones the key that came first. */
  private findLargest(): string {
    return [...this.waiting.keys()].reduce((one, other) =>
      this.countTasks(other) > this.countTasks(one) ? other : one,
    );
  }
}
