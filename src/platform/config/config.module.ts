import { Global, Module } from '@nestjs/common';
import { readSettings, Settings } from './settings.js';
import { DATABASE_URL_RULE, isDatabaseUrl, readDatabaseUrl } from './database-url.js';
import { SettingsError } from './secret-files.js';

/** Provides the validated settings everywhere. */
@Global()
@Module({
  providers: [{ provide: Settings, useFactory: getEnvironmentSettings }],
  exports: [Settings],
})
export class ConfigModule {}

/** Returns the settings of this process. @throws SettingsError */
export function getEnvironmentSettings(): Settings {
  return readSettings(process.env);
}

/**
 * Returns `DATABASE_URL`, for commands that need no other setting and no secret.
 * @throws SettingsError if it is invalid
 */
export function getEnvironmentDatabaseUrl(): string {
  const url = readDatabaseUrl(process.env);
  if (!isDatabaseUrl(url)) throw new SettingsError(`DATABASE_URL ${DATABASE_URL_RULE}.`);
  return url;
}
