import { isDatabaseUrl, readDatabaseUrl } from './database-url.js';
import { readSettings, type Settings, SettingsError } from './settings.js';

let settings: Settings | undefined;

/** The settings of this process, read from its environment once. @throws SettingsError as `readSettings` does */
export function environmentSettings(): Settings {
  settings ??= readSettings(process.env);
  return settings;
}

/** Where the database is, for who needs no other setting, and no secret. @throws SettingsError where it is none */
export function environmentDatabaseUrl(): string {
  const url = readDatabaseUrl(process.env);
  if (!isDatabaseUrl(url)) throw new SettingsError('DATABASE_URL takes sqlite:PATH or postgres://….');
  return url;
}
