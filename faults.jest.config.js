import tests from './jest.config.js';

/** The built service while it is killed, its database is away, its disk is full, and its clients are slow. */
export default {
  ...tests,
  globalSetup: '<rootDir>/test/support/find-postgres.ts',
  testMatch: ['<rootDir>/test/faults/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 300_000,
  maxWorkers: 1,
};
