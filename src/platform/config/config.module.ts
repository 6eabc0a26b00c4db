import { Global, Module } from '@nestjs/common';
import { getEnvironmentSettings, Settings } from './settings.js';
import { DATABASE_URL_RULE, isDatabaseUrl, readDatabaseUrl } from './database-url.js';
import { findNodeEnvProblem } from './node-env.js';
import { SettingsError } from './secret-files.js';

/** Provides the validated settings everywhere. */
@Global()
@Module({
  providers: [{ provide: Settings, useFactory: getEnvironmentSettings }],
  exports: [Settings],
})
export class ConfigModule {}

/**
 * Returns `DATABASE_URL`, for commands that need no other setting and no secret.
 * @throws SettingsError if it is invalid, or `NODE_ENV` is
 */
export function getEnvironmentDatabaseUrl(): string {
  const url = readDatabaseUrl(process.env);
  if (!isDatabaseUrl(url)) throw new SettingsError(`DATABASE_URL ${DATABASE_URL_RULE}.`);
  const nodeEnvProblem = findNodeEnvProblem(process.env, url);
  if (nodeEnvProblem !== undefined) throw new SettingsError(nodeEnvProblem);
  return url;
}
