import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the secret of a development machine. The first call generates it and stores it in the
 * folder, readable by its owner only. Two processes that start at the same time get the same
 * secret, because only one of them can link its file to the final name.
 * @throws Error if the file cannot be read or created
 */
export function loadOrCreateMasterSecret(folder = 'data'): string {
  const path = join(folder, 'master-secret');
  try {
    return loadOrCreate(folder, path);
  } catch (error) {
    throw new Error(
      `MASTER_SECRET is not set, and ${path} cannot be read or created: ${(error as Error).message}. Set MASTER_SECRET, or allow access to this file.`,
      { cause: error },
    );
  }
}

function loadOrCreate(folder: string, path: string): string {
  const secret = readFileIfExists(path);
  if (secret) return secret;

  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(path, 'utf8').trim();
}

function readFileIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The rule that `isStrongMasterSecret` checks, as the end of an error message. */
export const STRONG_MASTER_SECRET_RULE =
  'must be one or more secrets of at least 32 characters in production, each with 10 different characters, without the words change, example, placeholder and secret, and without a run such as 01234567 or a repeated part. To create one, run: openssl rand -hex 32';

const MIN_STRONG_LENGTH = 32;
const MIN_DISTINCT_CHARACTERS = 10;

/** Number of characters of a run, or of a repeated part, that a random secret does not have. */
const PATTERN_LENGTH = 8;
const REPEATED_PART = new RegExp(`(.{${PATTERN_LENGTH}}).*\\1`);

/** Whether a secret is long and varied enough for production, and no placeholder. */
export function isStrongMasterSecret(secret: string): boolean {
  const isVaried = new Set(secret).size >= MIN_DISTINCT_CHARACTERS && !REPEATED_PART.test(secret) && !hasRun(secret);
  return secret.length >= MIN_STRONG_LENGTH && isVaried && !/change|example|placeholder|secret/i.test(secret);
}

/** Whether characters ascend or descend one by one, such as `01234567` or `hgfedcba`. */
function hasRun(text: string): boolean {
  const steps = Array.from(text.slice(1), (_, index) => text.charCodeAt(index + 1) - text.charCodeAt(index));
  const isRun = (step: number, start: number): boolean =>
    Math.abs(step) === 1 && steps.slice(start, start + PATTERN_LENGTH - 1).every((other) => other === step);
  return steps.some((step, start) => start + PATTERN_LENGTH - 1 <= steps.length && isRun(step, start));
}
