/**
 * The settings of every server in the tests, so that an access token of one is valid at the others.
 */
export const TEST_SETTINGS = {
  BASE_URL: 'https://map.example.org',
  MASTER_SECRET: 'only the tests use this key 7391480265',
  NODE_ENV: 'test',
  RATE_LIMITS: 'off',
};
