import cluster, { type Worker } from 'node:cluster';
import { EventLogger } from '../logging/event-logger.js';

/** Milliseconds. If a worker ends sooner, its replacement waits. */
const MIN_UPTIME_MS = 10_000;

/** Milliseconds that a replacement waits. The delay doubles each time. */
const MIN_RESTART_DELAY_MS = 1_000;
const MAX_RESTART_DELAY_MS = 30_000;

/** Message that a worker sends when it starts to serve requests. */
const READY_MESSAGE = 'answers';

/**
 * Supervises the workers. It starts the first worker, which migrates the database, then the others,
 * and replaces a worker that ends. The supervisor serves no requests; it distributes connections.
 */
export class WorkerManager {
  private readonly logger = new EventLogger(WorkerManager.name);
  private readonly workers = new Set<Worker>();
  private hasReadyWorker = false;
  private isStopping = false;
  private restartDelayMs = 0;

  constructor(private readonly workerCount: number) {}

  start(): void {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => this.stop(signal));
    this.fork();
  }

  private fork(): void {
    if (this.isStopping) return;
    const worker = cluster.fork();
    const forkedAt = performance.now();
    this.workers.add(worker);
    worker.on('message', (message) => {
      // the metrics library sends other messages
      if (message === READY_MESSAGE) this.onWorkerReady(worker);
    });
    const ended = (reason: string): void => {
      if (!this.workers.delete(worker)) return; // `exit` and `error` can both report the end
      this.onWorkerExit(worker, reason, performance.now() - forkedAt);
    };
    worker.once('exit', (code: number, signal: string | null) => ended(signal ?? `code ${code}`));
    worker.on('error', ({ message }) => {
      if (worker.process.pid === undefined) ended(message); // otherwise `exit` follows
    });
  }

  private onWorkerReady({ process: { pid } }: Worker): void {
    this.logger.log('worker_ready', 'A worker is ready for requests.', { worker_pid: pid });
    if (this.hasReadyWorker) return;
    this.hasReadyWorker = true;
    for (let others = 1; others < this.workerCount; others++) this.fork();
  }

  private onWorkerExit({ process: { pid } }: Worker, reason: string, uptimeMs: number): void {
    if (this.isStopping) return this.exitWhenAllStopped();
    this.logger.log('worker_exited', 'A worker ended.', { worker_pid: pid, reason, uptime_ms: Math.round(uptimeMs) });
    if (!this.hasReadyWorker) process.exit(1);
    this.restartDelayMs =
      uptimeMs < MIN_UPTIME_MS
        ? Math.min(Math.max(2 * this.restartDelayMs, MIN_RESTART_DELAY_MS), MAX_RESTART_DELAY_MS)
        : 0;
    this.logger.log('worker_restarting', 'A new worker replaces the ended one.', { delay_ms: this.restartDelayMs });
    setTimeout(() => this.fork(), this.restartDelayMs);
  }

  /**
   * Stops the workers, each of which completes its open requests, and ends the process after them.
   */
  private stop(signal: string): void {
    if (!this.isStopping) this.logger.log('server_stopping', 'The service stops its workers.', { signal });
    this.isStopping = true;
    for (const worker of this.workers) worker.process.kill('SIGTERM');
    this.exitWhenAllStopped();
  }

  private exitWhenAllStopped(): void {
    if (this.workers.size === 0) process.exit(0);
  }
}

/**
 * Whether this process prints the welcome message: the first of several workers, or the only
 * process.
 */
export function isFirstWorker(): boolean {
  return (cluster.worker?.id ?? 1) === 1;
}

/**
 * Tells the supervisor that this worker serves requests. If the supervisor ends, the worker shuts
 * down.
 */
export function notifyReady(): void {
  const { worker } = cluster;
  if (!worker) return;
  worker.once('disconnect', () => {
    worker.exitedAfterDisconnect = true; // otherwise Node ends this process at once
    process.kill(process.pid, 'SIGTERM');
  });
  worker.send(READY_MESSAGE);
}
