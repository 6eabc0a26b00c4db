import type { ConsoleLogger } from '@nestjs/common';
import cluster, { type Worker } from 'node:cluster';

/** A worker that ends sooner than this may well do so again. Milliseconds. */
const MIN_UPTIME_MS = 10_000;

/** How long another then waits to be started: twice as long each time. Milliseconds. */
const MIN_RESTART_DELAY_MS = 1_000;
const MAX_RESTART_DELAY_MS = 30_000;

/** What a worker sends when it begins to answer requests. */
const READY_MESSAGE = 'answers';

/**
 * Looks after the processes that answer requests: the first, which brings the database up to date, then the others. One
 * that ends is replaced. This process answers nothing itself; it hands out connections.
 */
export class WorkerManager {
  private readonly workers = new Set<Worker>();
  private hasReadyWorker = false;
  private isStopping = false;
  private restartDelayMs = 0;

  constructor(
    private readonly workerCount: number,
    private readonly logger: ConsoleLogger,
  ) {}

  start(): void {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => this.stop());
    this.fork();
  }

  private fork(): void {
    if (this.isStopping) return;
    const worker = cluster.fork();
    const forkedAt = performance.now();
    this.workers.add(worker);
    worker.on('message', (message) => {
      if (message === READY_MESSAGE) this.onWorkerReady(worker); // others are of the metrics
    });
    const ended = (how: string): void => {
      if (!this.workers.delete(worker)) return; // heard of already
      this.onWorkerExit(worker, how, performance.now() - forkedAt);
    };
    worker.once('exit', (code: number, signal: string | null) => ended(signal ?? `code ${code}`));
    worker.on('error', ({ message }) => {
      if (worker.process.pid === undefined) ended(message); // else it is heard of again when it ends
    });
  }

  private onWorkerReady({ process: { pid } }: Worker): void {
    this.logger.log(`Process ${pid} answers requests.`, WorkerManager.name);
    if (this.hasReadyWorker) return;
    this.hasReadyWorker = true;
    for (let others = 1; others < this.workerCount; others++) this.fork();
  }

  private onWorkerExit({ process: { pid } }: Worker, how: string, lived: number): void {
    if (this.isStopping) return this.exitWhenAllStopped();
    this.logger.error(`Process ${pid ?? 'without an id'} ended: ${how}.`, WorkerManager.name);
    if (!this.hasReadyWorker) process.exit(1);
    this.restartDelayMs =
      lived < MIN_UPTIME_MS
        ? Math.min(Math.max(2 * this.restartDelayMs, MIN_RESTART_DELAY_MS), MAX_RESTART_DELAY_MS)
        : 0;
    this.logger.log(`Another starts in ${this.restartDelayMs / 1000} s.`, WorkerManager.name);
    setTimeout(() => this.fork(), this.restartDelayMs);
  }

  /** Each answers what it has begun, and ends. */
  private stop(): void {
    this.isStopping = true;
    for (const worker of this.workers) worker.process.kill('SIGTERM');
    this.exitWhenAllStopped();
  }

  private exitWhenAllStopped(): void {
    if (this.workers.size === 0) process.exit(0);
  }
}

/** Whether this process is the one that greets: the first of several, or the only one. */
export function isFirstWorker(): boolean {
  return (cluster.worker?.id ?? 1) === 1;
}

/** Tells whoever looks after this process that it answers requests; when that one is gone, this one ends as if told to. */
export function notifyReady(): void {
  const { worker } = cluster;
  if (!worker) return;
  worker.once('disconnect', () => {
    worker.exitedAfterDisconnect = true; // or Node would end this process at once
    process.kill(process.pid, 'SIGTERM');
  });
  worker.send(READY_MESSAGE);
}
