import type { Worker } from 'node:cluster';
import { on, once } from 'node:events';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Settings } from '../config/settings.js';
import { sendToSupervisor } from './current-worker.js';
import cluster from 'node:cluster';
import { createServer } from 'node:http';

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
   * Starts the metrics endpoint of the supervisor.
   * @param workers the running workers by their numbers
   */
  async expose(port: number, host: string, workers: ReadonlyMap<number, Worker>): Promise<void> {
    collectDefaultMetrics({ register: this.registry });
    this.registry.setDefaultLabels({ worker: '0' });
    await startMetricsServer(port, host, () => this.read(workers));
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
/**
 * Merges texts in the format of Prometheus, so that the samples of each metric are one group. No
 * sample is in two texts.
 */
export function mergeMetrics(texts: string[]): string {
  const samplesByHeader = new Map<string, string[]>();
  for (const group of texts.join('\n').trimEnd().split('\n\n')) {
    const [help, type, ...samples] = group.split('\n');
    const header = `${help}\n${type}\n`;
    const earlier = samplesByHeader.get(header);
    if (earlier) earlier.push(...samples);
    else samplesByHeader.set(header, samples);
  }
  return [...samplesByHeader].map(([header, samples]) => `${header}${samples.join('\n')}\n`).join('\n');
}

/**
 * Starts the metrics endpoint of this process. A worker has none: it sends its metrics to the
 * supervisor.
 */
export async function exposeMetrics(registry: Registry, { METRICS_PORT, METRICS_HOST }: Settings): Promise<void> {
  if (METRICS_PORT === undefined) return;
  collectDefaultMetrics({ register: registry });
  if (cluster.isWorker) return sendMetricsOnRequest(registry);
  registry.setDefaultLabels({ worker: '1' });
  await startMetricsServer(METRICS_PORT, METRICS_HOST, () => registry.metrics());
}

/**
 * Starts a server for operators that responds only to `GET /metrics`, on a separate address.
 * @param read returns the metrics as text
 */
export async function startMetricsServer(port: number, host: string, read: () => Promise<string>): Promise<void> {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') return void response.writeHead(404).end();
    if (request.method !== 'GET') return void response.writeHead(405, { Allow: 'GET' }).end();
    read().then(
      (text) => response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
}
