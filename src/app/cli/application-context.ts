import type { INestApplicationContext, ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../../platform/config/config.module.js';
import { DatabaseModule } from '../../platform/database/database.module.js';

/** The root module of a command. */
class CommandModule {}

/**
 * Runs a command in a Nest application context with the settings, the migrated database and the
 * modules that the command needs. The application opens no port.
 */
export async function withApplication<T>(
  modules: NonNullable<ModuleMetadata['imports']>,
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  const app = await NestFactory.createApplicationContext(
    { module: CommandModule, imports: [ConfigModule, DatabaseModule, ...modules] },
    { logger: false, abortOnError: false },
  );
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
