import { beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** Files that assemble the application. Only these import each other. */
const ENTRY_POINTS = ['src/main.ts', 'src/cli.ts', 'src/app.module.ts', 'src/app.setup.ts'];

/** The parts of `src` and their modules, each before the modules that it may import. */
const PARTS: Record<string, string[]> = {
  app: [
    'server',
    'mcp',
    'connected-apps',
    'moderation',
    'api-reference',
    'documentation',
    'home',
    'cli',
    'demo',
    'errors',
  ],
  map: ['edits', 'collections', 'markers', 'artists', 'regions', 'history', 'changes', 'text-search'],
  identity: ['oauth', 'openid', 'app-record', 'apps', 'accounts', 'scopes', 'keys'],
  platform: [
    'platform.module.ts',
    'cluster',
    'views',
    'pictures',
    'mail',
    'i18n',
    'rate-limiting',
    'health',
    'audit',
    'idempotency',
    'scheduling',
    'validation',
    'http',
    'metrics',
    'database',
    'tracing',
    'logging',
    'openapi',
    'errors',
    'crypto',
    'config',
  ],
};

/** The modules that may import a folder of data. */
const DATA_FOLDERS: Record<string, string> = { 'platform/i18n': 'locales/' };

const MODULES = Object.entries(PARTS).flatMap(([part, modules]) => modules.map((module) => `${part}/${module}`));

interface SourceFile {
  path: string;
  text: string;
  /** Files of this repository that it imports: by value, for types only, or dynamically. */
  imports: string[];
  /** Packages that it imports. */
  packages: string[];
}

describe('The source folder', () => {
  let files: SourceFile[];

  beforeAll(() => {
    files = loadSourceFiles();
  });

  it('contains the entry points and the modules of the four parts', () => {
    const misplaced = files.filter(({ path }) => !ENTRY_POINTS.includes(path) && getModule(path) === undefined);
    expect(misplaced.map(({ path }) => path)).toEqual([]);
    expect(new Set(files.map(({ path }) => getModule(path)).filter(Boolean))).toEqual(new Set(MODULES));
  });

  it('imports only from modules further down', () => {
    const wrong = listImports(files).filter(([from, to]) => !isAllowed(from, to));
    expect(wrong.map(describeImport)).toEqual([]);
  });

  it('imports the application module and its setup only in entry points', () => {
    const wrong = listImports(files).filter(([from, to]) => ENTRY_POINTS.includes(to) && !ENTRY_POINTS.includes(from));
    expect(wrong.map(describeImport)).toEqual([]);
  });

  it('has no cycle between files', () => {
    expect(findCycle(listImports(files))).toEqual([]);
  });

  it('has no cycle between folders of one parent', () => {
    const imports = listImports(files).flatMap(([from, to]) => listSiblingFolders(from, to));
    expect(findCycle(imports)).toEqual([]);
  });

  it('resolves resources without knowing how a token was obtained', () => {
    const wrong = listImports(files).filter(([from, to]) => from.startsWith('src/map/') && to.includes('/oauth/'));
    expect(wrong.map(describeImport)).toEqual([]);
  });

  it('has controllers without TypeORM and entities without services', () => {
    const controllers = files.filter(({ path }) => path.endsWith('.controller.ts'));
    expect(controllers.filter(({ packages }) => packages.some((name) => name.includes('typeorm')))).toEqual([]);
    const wrong = listImports(files).filter(([from, to]) => from.endsWith('.entity.ts') && to.endsWith('.service.ts'));
    expect(wrong.map(describeImport)).toEqual([]);
  });

  it('injects repositories only of the own module', () => {
    const wrong = files.flatMap((file) =>
      [...file.text.matchAll(/InjectRepository\((\w+)\)/g)]
        .map(([, entity]) => findImportOf(file, entity!))
        .filter((entity) => getModule(entity) !== getModule(file.path))
        .map((entity) => describeImport([file.path, entity])),
    );
    expect(wrong).toEqual([]);
  });

  it('has no barrel files and no forward references', () => {
    expect(files.filter(({ path, text }) => /\/index\.tsx?$/.test(path) || text.includes('forwardRef'))).toEqual([]);
  });

  it('reads the environment only in platform/config', () => {
    const readers = files.filter(({ text }) => text.includes('process.env'));
    expect(new Set(readers.map(({ path }) => getModule(path)))).toEqual(new Set(['platform/config']));
  });
});

/** Reads the files of `src` and resolves their imports as the compiler does. */
function loadSourceFiles(): SourceFile[] {
  const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as { config: object };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
  const cache = ts.createModuleResolutionCache(process.cwd(), (name) => name, options);
  return ts.sys.readDirectory(join(process.cwd(), 'src'), ['.ts', '.tsx']).map((name) => {
    const text = readFileSync(name, 'utf8');
    const [imports, packages]: string[][] = [[], []];
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
      const { resolvedModule } = ts.resolveModuleName(fileName, name, options, ts.sys, cache, undefined, MODULE_FORMAT);
      if (resolvedModule?.isExternalLibraryImport === false) imports!.push(toPath(resolvedModule.resolvedFileName));
      else packages!.push(fileName);
    }
    return { path: toPath(name), text, imports: imports!, packages: packages! };
  });
}

const MODULE_FORMAT = ts.ModuleKind.ESNext;

function toPath(file: string): string {
  return relative(process.cwd(), file);
}

function listImports(files: SourceFile[]): [from: string, to: string][] {
  const imports = files.flatMap(({ path, imports: targets }) => targets.map((to): [string, string] => [path, to]));
  expect(imports.length).toBeGreaterThan(1000);
  return imports;
}

function describeImport([from, to]: [from: string, to: string]): string {
  return `${from} -> ${to}`;
}

/**
 * `map/edits` for `src/map/edits/rules/edit-changes.ts`; undefined for a file outside the four
 * parts.
 */
function getModule(path: string): string | undefined {
  return MODULES.find((module) => path === `src/${module}` || path.startsWith(`src/${module}/`));
}

function isAllowed(from: string, to: string): boolean {
  if (ENTRY_POINTS.includes(from)) return to.startsWith('src/');
  const [importer, imported] = [getModule(from), getModule(to)];
  if (importer !== undefined && to.startsWith(DATA_FOLDERS[importer] ?? '//')) return true;
  if (importer === undefined || imported === undefined) return false;
  return MODULES.indexOf(importer) <= MODULES.indexOf(imported);
}

/** The two sibling folders that an import connects; undefined if one folder contains the other. */
function listSiblingFolders(from: string, to: string): [string, string][] {
  const [a, b] = [dirname(from).split('/'), dirname(to).split('/')];
  const depth = a.findIndex((name, at) => name !== b[at]);
  return depth === -1 || depth >= b.length ? [] : [[a.slice(0, depth + 1).join('/'), b.slice(0, depth + 1).join('/')]];
}

/** The file that declares an imported name. */
function findImportOf({ path, text, imports }: SourceFile, name: string): string {
  const [, specifier] = new RegExp(`import [^;]*\\b${name}\\b[^;]*? from '([^']*)'`).exec(text)!;
  return imports.find((to) => to.endsWith(specifier!.replace(/^[./]*/, '').replace(/\.js$/, '.ts'))) ?? path;
}

/** The nodes of one cycle, the first one repeated at the end; empty if there is none. */
function findCycle(edges: [from: string, to: string][]): string[] {
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of edges) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const finished = new Set<string>();
  const visit = (node: string, path: string[]): string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (finished.has(node)) return [];
    for (const next of targets.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle.length > 0) return cycle;
    }
    finished.add(node);
    return [];
  };
  for (const node of targets.keys()) {
    const cycle = visit(node, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
