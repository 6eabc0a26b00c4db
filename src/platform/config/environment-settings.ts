import { isDatabaseUrl, readDatabaseUrl } from './database-url.js';
import { readSettings, type Settings, SettingsError } from './settings.js';

let cachedSettings: Settings | undefined;

/** The settings of this process, read from its environment once. @throws SettingsError as `readSettings` does */
export function getEnvironmentSettings(): Settings {
  cachedSettings ??= readSettings(process.env);
  return cachedSettings;
}

/** Where the database is, for who needs no other setting, and no secret. @throws SettingsError where it is none */
export function getEnvironmentDatabaseUrl(): string {
  const url = readDatabaseUrl(process.env);
  if (!isDatabaseUrl(url)) throw new SettingsError('DATABASE_URL takes sqlite:PATH or postgres://….');
  return url;
}
