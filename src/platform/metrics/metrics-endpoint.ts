import type { INestApplication } from '@nestjs/common';
import cluster from 'node:cluster';
import { AggregatorRegistry, collectDefaultMetrics } from 'prom-client';
import type { Settings } from '../config/settings.js';
import { MetricsService } from './metrics.service.js';
import { startMetricsServer } from './metrics-server.js';

/**
 * Starts the metrics endpoint of this process. A worker has none: it sends its metrics to the
 * supervisor.
 */
export async function exposeMetrics(app: INestApplication, { METRICS_PORT, METRICS_HOST }: Settings): Promise<void> {
  if (METRICS_PORT === undefined) return;
  const { registry } = app.get(MetricsService);
  collectDefaultMetrics({ register: registry });
  if (cluster.isWorker) AggregatorRegistry.setRegistries(registry);
  else await startMetricsServer(METRICS_PORT, METRICS_HOST, () => registry.metrics());
}

/** Starts the metrics endpoint of the supervisor, with the sums of all workers. */
export async function exposeClusterMetrics({ METRICS_PORT, METRICS_HOST }: Settings): Promise<void> {
  if (METRICS_PORT === undefined) return;
  const workers = new AggregatorRegistry();
  await startMetricsServer(METRICS_PORT, METRICS_HOST, () => workers.clusterMetrics());
}

/**
 * Makes a worker respond to the supervisor's requests for metrics from its start, so that the
 * supervisor does not wait for a worker that is starting.
 */
export function registerMetricsWorker(): void {
  if (cluster.isWorker) new AggregatorRegistry();
}
