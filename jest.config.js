import './test/support/require-supported-node.js';

const swc = (tsx) => [
  '@swc/jest',
  {
    jsc: {
      target: 'es2022',
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

/** The folders whose tests need only one of the two databases. */
const ONE_DATABASE = ['architecture', 'ci', 'client-libraries', 'style', 'unit'];

/**
 * The unit and end-to-end tests, on SQLite, or on PostgreSQL with TEST_DATABASE=postgres, which
 * leaves out the tests that need only one of them. `browser.jest.config.js` has the page tests,
 * `deploy.jest.config.js` the tests of the files in `deploy`, and `faults.jest.config.js` the fault
 * tests.
 */
export default {
  globalSetup: '<rootDir>/test/support/create-template-folder.js',
  globalTeardown: '<rootDir>/test/support/remove-template-databases.js',
  setupFilesAfterEnv: ['<rootDir>/test/support/close-open-resources.ts'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/browser/',
    '<rootDir>/test/deploy-tools/',
    '<rootDir>/test/faults/',
    ...(process.env.TEST_DATABASE === 'postgres' ? ONE_DATABASE.map((name) => `<rootDir>/test/${name}/`) : []),
  ],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': swc(false),
    '^.+\\.tsx$': swc(true),
  },
  testTimeout: 60_000,
  maxWorkers: 2,
  // A worker keeps the modules of every file that it ran. With a gigabyte it takes longer to exit
  // than Jest waits (500 ms), and is reported as one that does not exit.
  workerIdleMemoryLimit: '600MB',
};
