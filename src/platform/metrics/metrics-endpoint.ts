import type { INestApplication } from '@nestjs/common';
import cluster from 'node:cluster';
import { AggregatorRegistry, collectDefaultMetrics } from 'prom-client';
import type { Settings } from '../config/settings.js';
import { MetricsService } from './metrics.service.js';
import { startMetricsServer } from './metrics-server.js';

/** Lets this process be asked how it does: by Prometheus, or, where it is one of several, by the one that looks after them. */
export async function exposeMetrics(app: INestApplication, { METRICS_PORT, METRICS_HOST }: Settings): Promise<void> {
  if (METRICS_PORT === undefined) return;
  const { registry } = app.get(MetricsService);
  collectDefaultMetrics({ register: registry });
  if (cluster.isWorker) AggregatorRegistry.setRegistries(registry);
  else await startMetricsServer(METRICS_PORT, METRICS_HOST, () => registry.metrics());
}

/** Answers for all workers, from the process that looks after them. */
export async function exposeClusterMetrics({ METRICS_PORT, METRICS_HOST }: Settings): Promise<void> {
  if (METRICS_PORT === undefined) return;
  const workers = new AggregatorRegistry();
  await startMetricsServer(METRICS_PORT, METRICS_HOST, () => workers.clusterMetrics());
}

/** From its first moment on a worker answers who asks, so that nobody waits for one that is starting. */
export function registerMetricsWorker(): void {
  if (cluster.isWorker) new AggregatorRegistry();
}
