import { readFileSync } from 'node:fs';
import type { Settings } from './settings.js';

/** The version of the service, from its `package.json`. */
export const VERSION = readPackageVersion();

/** The version of the service, and the commit it was built from if `BUILD_COMMIT` is set. */
export interface Build {
  version: string;
  commit?: string;
}

/** Returns the build that runs. */
export function getBuild({ BUILD_COMMIT }: Settings): Build {
  return { version: VERSION, ...(BUILD_COMMIT !== undefined && { commit: BUILD_COMMIT }) };
}

/**
 * Reads the version from the next `package.json` above this file; its depth differs between `src`
 * and `dist`.
 */
function readPackageVersion(directory = new URL('.', import.meta.url)): string {
  try {
    return (JSON.parse(readFileSync(new URL('package.json', directory), 'utf8')) as { version: string }).version;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || directory.pathname === '/') throw error;
    return readPackageVersion(new URL('..', directory));
  }
}
