import type { ConsoleLogger } from '@nestjs/common';
import cluster, { type Worker } from 'node:cluster';

/** A worker that ends sooner than this may well do so again. Milliseconds. */
const SOON = 10_000;

/** How long another then waits to be started: twice as long each time. Milliseconds. */
const SHORTEST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/** What a worker sends when it begins to answer requests. */
const ANSWERS = 'answers';

/**
 * Looks after the processes that answer requests: the first, which brings the database up to date, then the others. One
 * that ends is replaced. This process answers nothing itself; it hands out connections.
 */
export class Workers {
  private readonly running = new Set<Worker>();
  private started = false;
  private stopping = false;
  private pause = 0;

  constructor(
    private readonly count: number,
    private readonly logger: ConsoleLogger,
  ) {}

  start(): void {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => this.stop());
    this.fork();
  }

  private fork(): void {
    if (this.stopping) return;
    const worker = cluster.fork();
    const forkedAt = performance.now();
    this.running.add(worker);
    worker.on('message', (message) => {
      if (message === ANSWERS) this.answers(worker); // others are of the metrics
    });
    const ended = (how: string): void => {
      if (!this.running.delete(worker)) return; // heard of already
      this.ended(worker, how, performance.now() - forkedAt);
    };
    worker.once('exit', (code: number, signal: string | null) => ended(signal ?? `code ${code}`));
    worker.on('error', ({ message }) => {
      if (worker.process.pid === undefined) ended(message); // else it is heard of again when it ends
    });
  }

  private answers({ process: { pid } }: Worker): void {
    this.logger.log(`Process ${pid} answers requests.`, Workers.name);
    if (this.started) return;
    this.started = true;
    for (let others = 1; others < this.count; others++) this.fork();
  }

  private ended({ process: { pid } }: Worker, how: string, lived: number): void {
    if (this.stopping) return this.exitAfterTheLast();
    this.logger.error(`Process ${pid ?? 'without an id'} ended: ${how}.`, Workers.name);
    if (!this.started) process.exit(1);
    this.pause = lived < SOON ? Math.min(Math.max(2 * this.pause, SHORTEST_PAUSE), LONGEST_PAUSE) : 0;
    this.logger.log(`Another starts in ${this.pause / 1000} s.`, Workers.name);
    setTimeout(() => this.fork(), this.pause);
  }

  /** Each answers what it has begun, and ends. */
  private stop(): void {
    this.stopping = true;
    for (const worker of this.running) worker.process.kill('SIGTERM');
    this.exitAfterTheLast();
  }

  private exitAfterTheLast(): void {
    if (this.running.size === 0) process.exit(0);
  }
}

/** Whether this process is the one that greets: the first of several, or the only one. */
export function isFirst(): boolean {
  return (cluster.worker?.id ?? 1) === 1;
}

/** Tells whoever looks after this process that it answers requests; when that one is gone, this one ends as if told to. */
export function tellThatItAnswers(): void {
  const { worker } = cluster;
  if (!worker) return;
  worker.once('disconnect', () => {
    worker.exitedAfterDisconnect = true; // or Node would end this process at once
    process.kill(process.pid, 'SIGTERM');
  });
  worker.send(ANSWERS);
}
