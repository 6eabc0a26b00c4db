import cluster from 'node:cluster';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import type { Settings } from '../config/settings.js';
import { startMetricsServer } from '../metrics/metrics-server.js';
import { sendMetricsOnRequest } from './cluster-metrics.js';

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
