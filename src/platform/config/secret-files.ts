import { readFileSync } from 'node:fs';

/** The settings that a file can contain. The setting `NAME_FILE` is the path of the file. */
export const FILE_SETTINGS = ['DATABASE_URL', 'MASTER_SECRET', 'REDIS_URL', 'SMTP_URL'] as const;

/**
 * Returns the environment with the contents of the files that settings such as `MASTER_SECRET_FILE`
 * name. One line end at the end of a file is dropped.
 * @param names the settings to read
 * @throws SettingsError that names each setting that is set twice, or whose file cannot be read
 */
export function readSecretFiles(
  env: NodeJS.ProcessEnv,
  names: readonly (typeof FILE_SETTINGS)[number][] = FILE_SETTINGS,
): NodeJS.ProcessEnv {
  const values: NodeJS.ProcessEnv = { ...env };
  const problems: string[] = [];
  for (const name of names) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    delete values[`${name}_FILE`];
    if (env[name]) problems.push(`${name} and ${name}_FILE must not both be set.`);
    else values[name] = readSecretFile(`${name}_FILE`, path, problems);
  }
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
  return values;
}

function readSecretFile(name: string, path: string, problems: string[]): string {
  try {
    const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    if (value.trim() === '') problems.push(`${name} names an empty file: ${path}.`);
    return value;
  } catch (error) {
    problems.push(`${name} names a file that cannot be read: ${(error as Error).message}.`);
    return '';
  }
}
/** Invalid settings. The message has one line per setting: its name and the rule that it breaks. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
