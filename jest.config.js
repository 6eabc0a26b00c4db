import './test/support/require-supported-node.js';

const swc = (tsx) => [
  '@swc/jest',
  {
    jsc: {
      target: 'es2022',
      experimental: { keepImportAttributes: true },
      parser: { syntax: 'typescript', decorators: true, tsx },
      transform: {
        legacyDecorator: true,
        decoratorMetadata: true,
        useDefineForClassFields: false,
        react: { runtime: 'automatic', importSource: 'preact' },
      },
    },
    module: { type: 'es6' },
  },
];

const POSTGRES = process.env.TEST_DATABASE === 'postgres';

/** The folders whose tests need only one of the two databases. */
const ONE_DATABASE = ['architecture', 'ci', 'client-libraries', 'style', 'tools', 'unit'];

/** The folders of the other projects. */
const OTHER_PROJECTS = ['browser', 'deploy-tools', 'faults'];

/** The folders of no test of the projects `main` and `long` in this run. */
const IGNORED = [...OTHER_PROJECTS, ...(POSTGRES ? ONE_DATABASE : [])];

const shared = {
  runtime: '<rootDir>/test/support/jest/shared-modules-runtime.js',
  testEnvironment: '<rootDir>/test/support/jest/shared-modules-environment.js',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.ts$': swc(false),
    '^.+\\.tsx$': swc(true),
  },
  setupFilesAfterEnv: ['<rootDir>/test/support/close-open-resources.ts'],
};

const templates = {
  globalSetup: '<rootDir>/test/support/create-template-folder.js',
  globalTeardown: '<rootDir>/test/support/remove-template-databases.js',
};

function ignoreFolders(...names) {
  return ['/node_modules/', ...names.map((name) => `<rootDir>/test/${name}/`)];
}

/**
 * The scripts `test`, `test:long`, `test:browser`, `test:deploy` and `test:faults` of package.json
 * each run one project. Jest accepts time limits and numbers of workers only for the whole run, so
 * the scripts contain the values that differ.
 */
export default {
  projects: [
    {
      // The unit and end-to-end tests. They and those of `long` run on SQLite, or on PostgreSQL
      // with TEST_DATABASE=postgres, which leaves out the tests that need only one of them.
      ...shared,
      ...templates,
      displayName: 'main',
      roots: ['<rootDir>/test'],
      testMatch: ['<rootDir>/test/**/!(*.long).test.ts'],
      testPathIgnorePatterns: ignoreFolders(...IGNORED),
    },
    {
      // Tests with many rows or rounds, with compilers, or with several processes of the service,
      // in files named `*.long.test.ts`.
      ...shared,
      ...templates,
      displayName: 'long',
      roots: ['<rootDir>/test'],
      testMatch: ['<rootDir>/test/**/*.long.test.ts'],
      testPathIgnorePatterns: ignoreFolders(...IGNORED),
    },
    {
      // The page tests in Chromium; with SCREENSHOTS, the screenshots of the documentation.
      ...shared,
      displayName: 'browser',
      roots: ['<rootDir>/test/browser'],
      globalSetup: '<rootDir>/test/support/find-chromium.ts',
      testMatch: [`<rootDir>/test/browser/${process.env.SCREENSHOTS ? '*screenshots.ts' : '**/*.test.ts'}`],
    },
    {
      // The files in `deploy` with the programs that read them, and an app in Go.
      ...shared,
      ...templates,
      displayName: 'deploy',
      roots: ['<rootDir>/test/deploy-tools'],
      testMatch: ['<rootDir>/test/deploy-tools/**/*.test.ts'],
    },
    {
      // Killed processes, an unreachable database, a full disk, slow clients.
      ...shared,
      displayName: 'faults',
      roots: ['<rootDir>/test/faults'],
      globalSetup: '<rootDir>/test/support/find-postgres.ts',
      testMatch: ['<rootDir>/test/faults/**/*.test.ts'],
    },
  ],
  testTimeout: 60_000,
  maxWorkers: 2,
  // A worker that needs more memory after a file is replaced by a new one.
  workerIdleMemoryLimit: '450MB',
};
