import tests from './jest.config.js';

/** The fault tests: killed processes, an unreachable database, a full disk, slow clients. */
export default {
  ...tests,
  globalSetup: '<rootDir>/test/support/find-postgres.ts',
  globalTeardown: undefined,
  testMatch: ['<rootDir>/test/faults/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 300_000,
  maxWorkers: 1,
};
