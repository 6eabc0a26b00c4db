import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import cluster from 'node:cluster';
import { AppModule } from '../../app.module.js';
import { APP_OPTIONS, configureApp } from '../../app.setup.js';
import { getEnvironmentSettings } from '../../platform/config/environment-settings.js';
import type { Settings } from '../../platform/config/settings.js';
import { type DemoCredentials, DemoService } from '../demo/demo.service.js';
import { formatListenMessage, formatWelcome } from '../demo/welcome-message.js';
import { GracefulExpressAdapter } from '../../platform/http/graceful-express.adapter.js';
import { KeyRotationService } from '../../identity/keys/key-rotation.service.js';
import { RequestContextLogger } from '../../platform/logging/request-context-logger.js';
import { registerMetricsWorker, exposeMetrics, exposeClusterMetrics } from '../../platform/metrics/metrics-endpoint.js';
import { TaskScheduler } from '../../platform/scheduling/task-scheduler.service.js';
import { toErrorMessage } from '../../platform/logging/error-message.js';
import { isFirstWorker, notifyReady, WorkerManager } from '../../platform/cluster/worker-manager.js';

/**
 * Starts the service as the environment configures it: one process, or a supervisor of several
 * workers.
 */
export async function runServer(): Promise<void> {
  try {
    const settings = getEnvironmentSettings();
    if (settings.WORKERS > 1 && cluster.isPrimary) {
      await exposeClusterMetrics(settings);
      new WorkerManager(settings.WORKERS, new RequestContextLogger(settings)).start();
    } else {
      registerMetricsWorker();
      await startServer(settings);
    }
  } catch (error) {
    process.stderr.write(`The service did not start.\n${toErrorMessage(error)}\n`);
    process.exit(1);
  }
}

/** Creates and configures the application, starts the server, and prints the welcome message. */
async function startServer(settings: Settings): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule, new GracefulExpressAdapter(), APP_OPTIONS);
  configureApp(app, settings);
  await app.init();
  app.useLogger(new RequestContextLogger(settings));
  await app.get(KeyRotationService).reencryptKeys();
  await exposeMetrics(app, settings);
  await app.listen(settings.PORT, settings.HOST);
  app.get(TaskScheduler).start();
  if (isFirstWorker()) await printWelcome(app.get(DemoService), settings);
  notifyReady();
}

async function printWelcome(demo: DemoService, settings: Settings): Promise<void> {
  const loaded = await loadDemoIfEnabled(demo, settings);
  if (settings.isProduction) new Logger('Main').log(formatListenMessage(settings.BASE_URL));
  else process.stdout.write(formatWelcome(settings.BASE_URL, loaded));
}

async function loadDemoIfEnabled(
  demo: DemoService,
  { DEMO_DATA, isProduction }: Settings,
): Promise<DemoCredentials | undefined> {
  const wanted = DEMO_DATA === 'on' || (DEMO_DATA === 'auto' && !isProduction);
  return wanted ? demo.load() : undefined;
}
