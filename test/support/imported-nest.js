import * as common from '@nestjs/common';
import * as core from '@nestjs/core';

/** Jest cannot `require` ES modules on Node 20, as Node itself can: what a CommonJS package asks for is imported for it. */
globalThis.importedNest = { '@nestjs/common': common, '@nestjs/core': core };
