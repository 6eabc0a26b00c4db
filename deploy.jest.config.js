import tests from './jest.config.js';

/** The tests that check the files in `deploy` with the programs that read them. */
export default {
  ...tests,
  testMatch: ['<rootDir>/test/deploy-tools/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 120_000,
};
