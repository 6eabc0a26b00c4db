import tests from './jest.config.js';

/** The pages in a real Chromium; or, with SCREENSHOTS, the pictures of the docs. */
export default {
  ...tests,
  globalSetup: '<rootDir>/test/support/find-chromium.ts',
  testMatch: [`<rootDir>/test/browser/${process.env.SCREENSHOTS ? 'screenshots.ts' : '**/*.test.ts'}`],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 120_000,
};
