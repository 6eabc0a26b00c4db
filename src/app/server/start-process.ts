import 'reflect-metadata';
import { Logger } from '@nestjs/common/services/logger.service.js';
import cluster from 'node:cluster';
import { sendHeartbeats } from '../../platform/cluster/current-worker.js';
import { WorkerManager } from '../../platform/cluster/worker-manager.js';
import { listMisspelledSettings } from '../../platform/config/setting-warnings.js';
import { getEnvironmentSettings, type Settings } from '../../platform/config/settings.js';
import { toErrorMessage } from '../../platform/logging/logged-error.js';
import { RequestContextLogger } from '../../platform/logging/request-context-logger.js';

/**
 * Starts this process as the environment configures it: as a server, or as the supervisor of
 * several workers. The supervisor does not load the application, whose memory it would keep.
 * @param startServer loads and starts the application
 */
export async function startProcess(startServer: (settings: Settings) => Promise<void>): Promise<void> {
  try {
    const settings = getEnvironmentSettings();
    if (settings.WORKERS > 1 && cluster.isPrimary) await startSupervisor(settings);
    else {
      sendHeartbeats();
      await startServer(settings);
    }
  } catch (error) {
    const lines = ['The service did not start.', toErrorMessage(error), ...listMisspelledSettings()];
    process.stderr.write(`${lines.join('\n')}\n`);
    process.exit(1);
  }
}

async function startSupervisor(settings: Settings): Promise<void> {
  const logger = new RequestContextLogger(settings, () => undefined);
  process.once('exit', () => logger.flush());
  Logger.overrideLogger(logger);
  await new WorkerManager(settings).start();
}
