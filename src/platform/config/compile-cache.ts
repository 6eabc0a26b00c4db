import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** Beside the compiled code: only a user who may change the code may change the cache, unlike in a shared `/tmp`. */
const CACHE_FOLDER = fileURLToPath(new URL('../../../.compile-cache', import.meta.url));

/** Lets Node.js store compiled modules, so that later starts skip parsing. Without write access it does nothing. */
export function useCompileCache(): void {
  module.enableCompileCache(CACHE_FOLDER);
}
