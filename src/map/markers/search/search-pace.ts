import { setImmediate } from 'node:timers/promises';

/** After this time a search lets other requests run. */
const MAX_TURN_MILLISECONDS = 5;

/** After this time a search returns what it has found. */
const MAX_SEARCH_MILLISECONDS = 1000;

/** Searches continue one per turn of the event loop. */
let lastTurn: Promise<void> = Promise.resolve();

/**
 * The time of one search. SQLite runs statements in the thread that serves all requests, so a long
 * search pauses between its statements.
 */
export class SearchPace {
  private readonly startedAt = performance.now();
  private continuedAt = this.startedAt;

  /** Whether the search has used its time. */
  get isOver(): boolean {
    return performance.now() - this.startedAt > MAX_SEARCH_MILLISECONDS;
  }

  /** Waits until other requests had a turn, if the search has run for some time. */
  async pause(): Promise<void> {
    if (performance.now() - this.continuedAt < MAX_TURN_MILLISECONDS) return;
    lastTurn = lastTurn.then(() => setImmediate());
    await lastTurn;
    this.continuedAt = performance.now();
  }
}
