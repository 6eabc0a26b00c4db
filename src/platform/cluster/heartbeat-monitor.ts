import type { Worker } from 'node:cluster';
import { HEARTBEAT_INTERVAL_MS, HEARTBEAT_MESSAGE, READY_MESSAGE } from './current-worker.js';

/** Missed heartbeats after which a worker counts as hung. */
const MAX_MISSED_HEARTBEATS = 6;

/**
 * Finds workers whose event loop does not respond. It counts intervals instead of time, so that a
 * pause of the supervisor does not count against the workers. A worker that starts has no limit: a
 * migration of a large SQLite file can block its event loop for minutes.
 */
export class HeartbeatMonitor {
  private readonly missedHeartbeats = new Map<Worker, number>();

  /**
   * @param onHung is called once for each hung worker, and at most once per interval, so that
   * several hung workers are replaced one after the other
   */
  constructor(private readonly onHung: (worker: Worker) => void) {}

  start(): void {
    setInterval(() => this.check(), HEARTBEAT_INTERVAL_MS);
  }

  watch(worker: Worker): void {
    worker.on('message', (message) => {
      const isKnown = this.missedHeartbeats.has(worker);
      if (message === READY_MESSAGE || (message === HEARTBEAT_MESSAGE && isKnown)) this.missedHeartbeats.set(worker, 0);
    });
    worker.once('exit', () => this.missedHeartbeats.delete(worker));
  }

  private check(): void {
    for (const [worker, missed] of this.missedHeartbeats) this.missedHeartbeats.set(worker, missed + 1);
    const [hung] = [...this.missedHeartbeats].find(([, missed]) => missed > MAX_MISSED_HEARTBEATS) ?? [];
    if (!hung) return;
    this.missedHeartbeats.delete(hung);
    this.onHung(hung);
  }
}
