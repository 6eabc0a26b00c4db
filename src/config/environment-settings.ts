import { readSettings, type Settings } from './settings.js';

let settings: Settings | undefined;

/** The settings of this process, read from its environment once. @throws SettingsError as `readSettings` does */
export function environmentSettings(): Settings {
  settings ??= readSettings(process.env);
  return settings;
}
