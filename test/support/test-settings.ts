/**
 * The settings of every server in the tests, so that an access token of one is valid at the others.
 */
export const TEST_SETTINGS = {
  BASE_URL: 'https://map.example.org',
  MASTER_SECRET: 'a secret of the tests, and of them alone',
  RATE_LIMITS: 'off',
};
