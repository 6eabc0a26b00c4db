import tests from './jest.config.js';

/** The page tests in Chromium; with SCREENSHOTS, the screenshots of the documentation. */
export default {
  ...tests,
  globalSetup: '<rootDir>/test/support/find-chromium.ts',
  globalTeardown: undefined,
  testMatch: [`<rootDir>/test/browser/${process.env.SCREENSHOTS ? '*screenshots.ts' : '**/*.test.ts'}`],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 120_000,
};
