import type { INestApplicationContext, ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { runAsOperator } from '../../platform/audit/audit.service.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { ViewsModule } from '../../platform/views/views.module.js';

/** The root module of a command. */
class CommandModule {}

/**
 * Runs a command in a Nest application context with the settings, the migrated database and the
 * modules that the command needs. The application opens no port. The audit log names the operator
 * as the cause of the changes.
 */
export async function withApplication<T>(
  modules: NonNullable<ModuleMetadata['imports']>,
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const app = await NestFactory.createApplicationContext(
    { module: CommandModule, imports: [ConfigModule, DatabaseModule, ViewsModule, ...modules] },
    { logger: false, abortOnError: false },
  );
  try {
    return await runAsOperator(() => work(app));
  } finally {
    await app.close();
  }
}
