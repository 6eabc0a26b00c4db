import { isIP } from 'node:net';
import { FILE_SETTINGS } from './secret-files.js';
import { SETTING_RULES } from './setting-rules.js';
import type { Settings } from './settings.js';

/** Lengths from which a name may have one or two wrong characters, so that `PATH` is not `PORT`. */
const MIN_LENGTH_FOR_ONE = 6;
const MIN_LENGTH_FOR_TWO = 8;

/**
 * Returns a sentence for each setting that is valid, but is probably wrong in production.
 * @param env the environment of the process, in which a setting can be misspelled
 */
export function listSettingWarnings(settings: Settings, env = process.env): string[] {
  const { hostname, protocol } = new URL(settings.BASE_URL);
  return [
    ...listMisspelledSettings(env),
    ...(settings.SMTP_URL === undefined ? ['SMTP_URL is not set: the service sends no e-mail.'] : []),
    ...(protocol === 'http:' && !isLocal(hostname)
      ? ['BASE_URL starts with http: passwords and tokens can be read on the way. Use https.']
      : []),
    ...(settings.RATE_LIMITS === 'off' ? ['RATE_LIMITS is off: anyone can guess passwords without a limit.'] : []),
    ...(settings.TRUST_PROXY === 'true'
      ? ['TRUST_PROXY is true: every client can send a false address. Set the number of proxies.']
      : []),
  ];
}

/** Returns a sentence for each environment variable whose name resembles that of a setting. */
export function listMisspelledSettings(env = process.env): string[] {
  const names = new Set([...SETTING_RULES.keys(), ...FILE_SETTINGS.map((name) => `${name}_FILE`)]);
  return Object.keys(env).flatMap((variable) => {
    if (names.has(variable)) return [];
    const name = [...names].find((other) => countEdits(variable, other) <= getMaxEdits(other));
    return name === undefined ? [] : [`${variable} is not a setting. Did you mean ${name}?`];
  });
}

function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

function getMaxEdits({ length }: string): number {
  if (length >= MIN_LENGTH_FOR_TWO) return 2;
  return length >= MIN_LENGTH_FOR_ONE ? 1 : 0;
}

/** Returns the number of inserted, deleted or replaced characters between two texts. */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, otherCharacter] of [...other].entries()) {
      const replaced = row[column]! + (character === otherCharacter ? 0 : 1);
      next.push(Math.min(replaced, row[column + 1]! + 1, next[column]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
