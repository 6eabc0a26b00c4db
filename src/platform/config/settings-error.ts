/** Invalid settings. The message has one line per setting: its name and the rule that it breaks. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
