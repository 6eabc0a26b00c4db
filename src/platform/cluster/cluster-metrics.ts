import type { Worker } from 'node:cluster';
import { on } from 'node:events';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Settings } from '../config/settings.js';
import { mergeMetrics } from '../metrics/merge-metrics.js';
import { startMetricsServer } from '../metrics/metrics-server.js';
import { sendToSupervisor } from './current-worker.js';

/** Milliseconds in which a worker must respond to a request for its metrics. */
const RESPONSE_TIMEOUT_MS = 1_000;

/** Message that asks a worker for its metrics. */
interface MetricsRequest {
  metricsWithLabels: { worker: string };
}

/** The response of the worker. */
interface MetricsResponse {
  metrics: string;
}

/** Why a worker was replaced. */
const REPLACEMENT_REASONS = ['ended', 'hung'] as const;

/** The metrics of all workers that respond, and of their replacements. */
export class ClusterMetrics {
  private readonly registry = new Registry();
  private readonly registers = [this.registry];

  private readonly up = new Gauge({
    name: 'street_art_worker_up',
    help: 'Whether the worker responded when the metrics were read.',
    labelNames: ['worker'],
    registers: this.registers,
  });

  private readonly replacements = new Counter({
    name: 'street_art_worker_replacements_total',
    help: 'Workers that ended by themselves or hung, and were replaced.',
    labelNames: ['worker', 'reason'],
    registers: this.registers,
  });

  constructor(private readonly workerCount: number) {
    for (let worker = 1; worker <= workerCount; worker++)
      for (const reason of REPLACEMENT_REASONS) this.replacements.inc({ worker, reason }, 0);
  }

  countReplacement(worker: number, reason: (typeof REPLACEMENT_REASONS)[number]): void {
    this.replacements.inc({ worker, reason });
  }

  /**
   * Starts the metrics endpoint of the supervisor, if it has a port.
   * @param workers the running workers by their numbers
   */
  async expose({ METRICS_PORT, METRICS_HOST }: Settings, workers: ReadonlyMap<number, Worker>): Promise<void> {
    if (METRICS_PORT === undefined) return;
    collectDefaultMetrics({ register: this.registry });
    this.registry.setDefaultLabels({ worker: '0' });
    await startMetricsServer(METRICS_PORT, METRICS_HOST, () => this.read(workers));
  }

  private async read(workers: ReadonlyMap<number, Worker>): Promise<string> {
    const numbers = Array.from({ length: this.workerCount }, (_, index) => index + 1);
    const texts = await Promise.all(numbers.map((number) => this.readWorker(number, workers.get(number))));
    return mergeMetrics([await this.registry.metrics(), ...texts.filter((text) => text !== undefined)]);
  }

  private async readWorker(number: number, worker: Worker | undefined): Promise<string | undefined> {
    const text = worker && (await requestMetrics(worker, number).catch(() => undefined));
    this.up.set({ worker: number }, text === undefined ? 0 : 1);
    return text;
  }
}

/** Makes a worker respond to the supervisor's requests for metrics. */
export function sendMetricsOnRequest(registry: Registry): void {
  process.on('message', ({ metricsWithLabels }: Partial<MetricsRequest>) => {
    if (!metricsWithLabels) return;
    registry.setDefaultLabels(metricsWithLabels);
    void registry.metrics().then((metrics) => sendToSupervisor({ metrics } satisfies MetricsResponse));
  });
}

/** @throws Error if the worker does not respond in time */
async function requestMetrics(worker: Worker, number: number): Promise<string | undefined> {
  const options = { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS), close: ['exit'] };
  const messages = on(worker, 'message', options) as AsyncIterable<[Partial<MetricsResponse>]>;
  worker.send({ metricsWithLabels: { worker: String(number) } } satisfies MetricsRequest, () => undefined);
  for await (const [{ metrics }] of messages) if (metrics !== undefined) return metrics;
  return undefined;
}
