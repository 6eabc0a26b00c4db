import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { listSettingWarnings } from '../../platform/config/setting-warnings.js';
import type { Settings } from '../../platform/config/settings.js';
import { getBuild } from '../../platform/config/version.js';
import { type DemoCredentials, DemoService } from '../demo/demo.service.js';
import { formatListenMessage, formatWelcome } from '../demo/welcome-message.js';
import { getUnavailableCause } from '../../platform/database/database-unavailable.js';
import { KeyRotationService } from '../../identity/keys/key-rotation.service.js';
import { flushAccessLog } from '../../platform/logging/access-log.js';
import { EventLogger } from '../../platform/logging/event-logger.js';
import { RequestContextLogger } from '../../platform/logging/request-context-logger.js';
import { MailDeliveryService } from '../../platform/mail/mail-delivery.service.js';
import type { GracefulExpressAdapter } from '../../platform/http/graceful-express.adapter.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { RedisWindowsService } from '../../platform/rate-limiting/redis-windows.service.js';
import { startTracing } from '../../platform/tracing/tracing.js';
import { ClockService } from '../../platform/scheduling/clock.service.js';
import { TaskSchedulerService } from '../../platform/scheduling/task-scheduler.service.js';
import { isFirstWorker, notifyReady } from '../../platform/cluster/current-worker.js';
import { exposeMetrics } from '../../platform/cluster/cluster-metrics.js';

const logger = new EventLogger('Main');

/** Creates the application with its middleware. It is not initialized yet. */
type CreateApp = (settings: Settings) => Promise<NestExpressApplication>;

/** Creates the application, starts the server, and prints the welcome message. */
export async function startServer(createApp: CreateApp, settings: Settings): Promise<void> {
  const requestContextLogger = createLogger(settings);
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
    Logger.overrideLogger(requestContextLogger);
    await startTracing(logExportError);
  }
  const app = await createApp(settings);
  await app.init();
  app.useLogger(requestContextLogger);
  await app.get(KeyRotationService).reencryptKeys();
  await app.get(ClockService).start();
  await app.get(RedisWindowsService).start();
  await exposeMetrics(app.get(MetricsService).registry, settings);
  releaseMemory();
  await app.listen(settings.PORT, settings.HOST);
  prepareForSignals(app.getHttpAdapter() as unknown as GracefulExpressAdapter);
  app.get(TaskSchedulerService).start();
  app.get(MailDeliveryService).start();
  if (isFirstWorker()) {
    if (settings.isProduction) logSettingWarnings(settings);
    await printWelcome(app.get(DemoService), settings);
  }
  notifyReady();
}

/**
 * Returns memory to the system that only the start needed, about 70 MB. V8 would keep it: without
 * requests, it sees no reason to collect. Takes 0.2 seconds.
 */
function releaseMemory(): void {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  collectGarbage({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}

function logExportError(error: unknown): void {
  logger.log('spans_not_exported', 'OpenTelemetry reports a problem; spans may be lost.', { error });
}

/** Creates the logger. When the process ends, it logs the counts of repeated errors. */
function createLogger(settings: Settings): RequestContextLogger {
  const requestContextLogger = new RequestContextLogger(settings, getUnavailableCause);
  process.once('exit', () => {
    flushAccessLog();
    requestContextLogger.flush();
  });
  return requestContextLogger;
}

function logSettingWarnings(settings: Settings): void {
  for (const sentence of listSettingWarnings(settings)) logger.log('setting_doubtful', sentence);
}

/**
 * Logs the signal that ends the process. SIGTERM is from a service manager, so that the process can
 * be behind a proxy. SIGINT and SIGHUP are from a terminal.
 */
function prepareForSignals(adapter: GracefulExpressAdapter): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.once(signal, () => {
      logger.log('server_stopping', 'The service completes open requests and stops.', { signal });
      if (signal === 'SIGTERM') adapter.keepConnectionsOfProxies();
    });
  }
}

async function printWelcome(demo: DemoService, settings: Settings): Promise<void> {
  const loaded = await loadDemoIfEnabled(demo, settings);
  const { isProduction, BASE_URL } = settings;
  if (isProduction)
    logger.log('server_started', formatListenMessage(BASE_URL), { url: BASE_URL, ...getBuild(settings) });
  else process.stdout.write(formatWelcome(BASE_URL, loaded));
}

async function loadDemoIfEnabled(
  demo: DemoService,
  { DEMO_DATA, isProduction }: Settings,
): Promise<DemoCredentials | undefined> {
  const wanted = DEMO_DATA === 'on' || (DEMO_DATA === 'auto' && !isProduction);
  return wanted ? demo.load() : undefined;
}
