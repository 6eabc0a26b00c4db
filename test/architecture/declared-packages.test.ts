import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';

interface PackageJson {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

describe('The imported packages', () => {
  it('are declared in the package.json of the program, those of the service as dependencies', () => {
    const imports = listSourceFiles().flatMap((file) => listPackages(file).map((name) => ({ file, name })));
    expect(imports.length).toBeGreaterThan(1000);
    expect(imports.filter(({ file, name }) => !listDeclaredPackages(file).has(name))).toEqual([]);
  });
});

function listSourceFiles(): string[] {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.js', '*.mjs'], { encoding: 'utf8' });
  return files.split('\n').filter((file) => file !== '' && existsSync(file));
}

/** Returns the names of the packages that a file imports, statically or dynamically. */
function listPackages(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
  return importedFiles
    .map(({ fileName }) => fileName)
    .filter((specifier) => /^[@a-z]/.test(specifier) && !/^(node|https?):/.test(specifier))
    .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)![0])
    .filter((name) => !builtinModules.includes(name));
}

/**
 * Returns the packages that a file may import. The service runs without development dependencies.
 */
function listDeclaredPackages(file: string): Set<string> {
  const declared = listFoldersUpwards(file).flatMap((folder) => {
    const path = join(folder, 'package.json');
    if (!existsSync(path)) return [];
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(path, 'utf8')) as PackageJson;
    return Object.keys(file.startsWith('src/') ? dependencies : { ...dependencies, ...devDependencies });
  });
  return new Set(declared);
}

function listFoldersUpwards(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? ['.'] : [folder, ...listFoldersUpwards(folder)];
}
