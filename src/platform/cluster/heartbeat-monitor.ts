import type { Worker } from 'node:cluster';
import { HEARTBEAT_INTERVAL_MS, HEARTBEAT_MESSAGE, READY_MESSAGE } from './current-worker.js';

/** Missed heartbeats after which a worker counts as hung. */
const MAX_MISSED_HEARTBEATS = 6;

/** The same for a worker that starts: it may block its event loop while it loads the service. */
const MAX_MISSED_HEARTBEATS_AT_START = 60;

/**
 * Finds workers whose event loop does not respond. It counts intervals instead of time, so that a
 * pause of the supervisor does not count against the workers.
 */
export class HeartbeatMonitor {
  private readonly workers = new Map<Worker, { missed: number; maxMissed: number }>();

  /**
   * @param onHung is called once for each hung worker, and at most once per interval, so that
   * several hung workers are replaced one after the other
   */
  constructor(private readonly onHung: (worker: Worker) => void) {}

  start(): void {
    setInterval(() => this.check(), HEARTBEAT_INTERVAL_MS);
  }

  watch(worker: Worker): void {
    const heartbeats = { missed: 0, maxMissed: MAX_MISSED_HEARTBEATS_AT_START };
    this.workers.set(worker, heartbeats);
    worker.on('message', (message) => {
      if (message === HEARTBEAT_MESSAGE) heartbeats.missed = 0;
      if (message === READY_MESSAGE) heartbeats.maxMissed = MAX_MISSED_HEARTBEATS;
    });
    worker.once('exit', () => this.workers.delete(worker));
  }

  private check(): void {
    for (const heartbeats of this.workers.values()) heartbeats.missed++;
    const [hung] = [...this.workers].find(([, { missed, maxMissed }]) => missed > maxMissed) ?? [];
    if (!hung) return;
    this.workers.delete(hung);
    this.onHung(hung);
  }
}
