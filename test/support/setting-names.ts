import { readFileSync } from 'node:fs';
import { FILE_SETTINGS } from '../../src/platform/config/secret-files.js';

/** Returns the names of all settings of the service, from the source of `Settings`. */
export function listSettingNames(): string[] {
  const source = readFileSync('src/platform/config/settings.ts', 'utf8');
  return [...new Set([...source.matchAll(/^ {2}([A-Z][A-Z_]+)[!?]?:/gm)].map(([, name]) => name!))];
}

/**
 * Returns the settings that an environment sets. A file such as `DATABASE_URL_FILE` sets the
 * setting `DATABASE_URL`.
 */
export function listSetSettings(environment: string[]): string[] {
  const files = new Map<string, string>(FILE_SETTINGS.map((name) => [`${name}_FILE`, name]));
  return environment.map((name) => files.get(name) ?? name);
}
