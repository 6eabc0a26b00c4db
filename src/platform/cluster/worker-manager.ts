import cluster, { type Worker } from 'node:cluster';
import type { Settings } from '../config/settings.js';
import { EventLogger } from '../logging/event-logger.js';
import type { ClusterMetrics } from './cluster-metrics.js';
import { READY_MESSAGE } from './current-worker.js';
import { HeartbeatMonitor } from './heartbeat-monitor.js';

/** Milliseconds. If a worker ends sooner, its replacement waits. */
const MIN_UPTIME_MS = 10_000;

/** Milliseconds that a replacement waits. The delay doubles each time. */
const MIN_RESTART_DELAY_MS = 1_000;
const MAX_RESTART_DELAY_MS = 30_000;

/**
 * Supervises the workers. It starts the first worker, which migrates the database, then the others,
 * and replaces a worker that ends or hangs. The supervisor serves no requests; it distributes
 * connections.
 */
export class WorkerManager {
  private readonly logger = new EventLogger(WorkerManager.name);
  /** The running workers by their numbers. A replacement gets the number of the ended worker. */
  private readonly workers = new Map<number, Worker>();
  private readonly hungWorkers = new WeakSet<Worker>();
  private readonly heartbeats = new HeartbeatMonitor((worker) => this.killHungWorker(worker));
  private metrics?: ClusterMetrics;
  private hasReadyWorker = false;
  private isStopping = false;
  private restartDelayMs = 0;

  constructor(private readonly settings: Settings) {}

  /** Starts the metrics endpoint, if it has a port, and the workers. */
  async start(): Promise<void> {
    if (this.settings.METRICS_PORT !== undefined) {
      const { ClusterMetrics } = await import('./cluster-metrics.js');
      this.metrics = new ClusterMetrics(this.settings.WORKERS);
      await this.metrics.expose(this.settings.METRICS_PORT, this.settings.METRICS_HOST, this.workers);
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => this.stop(signal));
    this.heartbeats.start();
    this.fork(1);
  }

  private fork(number: number): void {
    if (this.isStopping) return;
    const worker = cluster.fork();
    const forkedAt = performance.now();
    this.workers.set(number, worker);
    this.heartbeats.watch(worker);
    worker.on('message', (message) => {
      if (message === READY_MESSAGE) this.onWorkerReady(number, worker);
    });
    const ended = (reason: string): void => {
      if (this.workers.get(number) !== worker) return; // `exit` and `error` can both report the end
      this.workers.delete(number);
      this.onWorkerExit(number, worker, reason, performance.now() - forkedAt);
    };
    worker.once('exit', (code: number, signal: string | null) => ended(signal ?? `code ${code}`));
    worker.on('error', ({ message }) => {
      if (worker.process.pid === undefined) ended(message); // otherwise `exit` follows
    });
  }

  private onWorkerReady(number: number, { process: { pid } }: Worker): void {
    this.logger.log('worker_ready', 'A worker is ready for requests.', { worker: number, worker_pid: pid });
    if (this.hasReadyWorker) return;
    this.hasReadyWorker = true;
    for (let other = 2; other <= this.settings.WORKERS; other++) this.fork(other);
  }

  /** A stopped process ends by SIGKILL too. Its replacement starts when it has ended. */
  private killHungWorker(worker: Worker): void {
    const [number] = [...this.workers].find(([, running]) => running === worker) ?? [];
    const { pid } = worker.process;
    this.logger.log('worker_hung', 'A worker does not respond, and is killed.', { worker: number, worker_pid: pid });
    this.hungWorkers.add(worker);
    worker.process.kill('SIGKILL');
  }

  private onWorkerExit(number: number, worker: Worker, reason: string, uptimeMs: number): void {
    if (this.isStopping) return this.exitWhenAllStopped();
    const ended = { worker: number, worker_pid: worker.process.pid, reason, uptime_ms: Math.round(uptimeMs) };
    this.logger.log('worker_exited', 'A worker ended.', ended);
    if (!this.hasReadyWorker) process.exit(1);
    this.metrics?.countReplacement(number, this.hungWorkers.has(worker) ? 'hung' : 'ended');
    this.restartDelayMs =
      uptimeMs < MIN_UPTIME_MS
        ? Math.min(Math.max(2 * this.restartDelayMs, MIN_RESTART_DELAY_MS), MAX_RESTART_DELAY_MS)
        : 0;
    this.logger.log('worker_restarting', 'A new worker replaces the ended one.', {
      worker: number,
      delay_ms: this.restartDelayMs,
    });
    setTimeout(() => this.fork(number), this.restartDelayMs);
  }

  /**
   * Stops the workers, each of which completes its open requests, and ends the process after them.
   */
  private stop(signal: NodeJS.Signals): void {
    if (!this.isStopping) this.logger.log('server_stopping', 'The service stops its workers.', { signal });
    this.isStopping = true;
    for (const worker of this.workers.values()) worker.process.kill(signal);
    this.exitWhenAllStopped();
  }

  private exitWhenAllStopped(): void {
    if (this.workers.size === 0) process.exit(0);
  }
}
