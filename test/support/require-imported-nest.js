/** Lets a package that is CommonJS have Nest, which is not (see `imported-nest.js`). */
export default {
  process: (source) => ({ code: source.replace(/require\(("@nestjs\/\w+")\)/g, 'globalThis.importedNest[$1]') }),
};
