// A Jest runtime that loads modules with Node.js itself. Jest's own runtime evaluates the
// application and its libraries again for each test file, which took half of the CPU time of the
// tests, and keeps them all in memory. Here a worker evaluates each module once; only the test
// files and Jest's own state are new for each file. So a module of `src` must not keep state that
// a test depends on, and `jest.mock` does nothing.
import { existsSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import JestRuntime from 'jest-runtime';
import { setJestGlobals } from './jest-globals.js';

const root = new URL('../../../', import.meta.url).href;
const libraries = '/node_modules/';
/** The packages whose imports get a module of the tests. */
const replacements = {
  '@jest/globals': new URL('./jest-globals.js', import.meta.url).href,
  argon2: new URL('../argon2.ts', import.meta.url).href,
};
const transformOptions = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};

/** Transforms a file with the runtime of the current test file. */
let transform;
let importCount = 0;
/** Path and address of each transformed file → path of its source map. */
const sourceMaps = new Map();

registerHooks({
  resolve(specifier, context, nextResolve) {
    const replacement = replacements[specifier];
    if (replacement && replacement !== context.parentURL) return { url: replacement, shortCircuit: true };
    return nextResolve(findTypeScript(specifier, context.parentURL) ?? specifier, context);
  },
  load(url, context, nextLoad) {
    if (!/\.tsx?(\?|$)/.test(url) || url.includes(libraries)) return nextLoad(url, context);
    return { format: 'module', source: transform(url), shortCircuit: true };
  },
});

/**
 * Returns the address of the TypeScript file that a relative `.js` import means, if there is one.
 */
function findTypeScript(specifier, parentUrl) {
  if (!/^\.{1,2}\/.*\.js$/.test(specifier) || !parentUrl?.startsWith(root) || parentUrl.includes(libraries)) return;
  const base = new URL(specifier, parentUrl).href.slice(0, -'.js'.length);
  return ['.ts', '.tsx'].map((extension) => base + extension).find((url) => existsSync(new URL(url)));
}

/** The runtime of one test file. */
export default class SharedModulesRuntime extends JestRuntime {
  constructor(...options) {
    super(...options);
    this.transformCache.sourceMaps = sourceMaps;
    transform = (url) => this.transform(url);
  }

  /** Returns the JavaScript of a TypeScript file. */
  transform(url) {
    const path = fileURLToPath(url);
    const source = this.transformCache.transform(path, transformOptions);
    sourceMaps.set(url, sourceMaps.get(path));
    return source;
  }

  /** Imports a test file or a set-up file. Its address is new, so that it runs again. */
  unstable_importModule(path) {
    setJestGlobals(this.jestGlobals.cjsGlobals(path));
    importCount++;
    return import(`${pathToFileURL(path).href}?import=${importCount}`);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** Loads a module of Jest, again for each test file. */
  requireInternalModule(from, name) {
    const require = createRequire(from);
    const path = name === undefined ? from : require.resolve(name);
    delete require.cache[path];
    return require(path);
  }

  /** Jest replaces this function in a process object for each file; here it is the real process. */
  installGetBuiltinModule() {}
}
