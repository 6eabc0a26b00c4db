import module from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Next to the compiled code: unlike in a shared `/tmp`, only users who may change the code may
 * change the cache.
 */
const CACHE_FOLDER = fileURLToPath(new URL('../../../.compile-cache', import.meta.url));

/**
 * Enables Node's cache of compiled modules, so that later starts skip parsing. Without write access
 * it has no effect.
 */
export function useCompileCache(): void {
  module.enableCompileCache(CACHE_FOLDER);
}
