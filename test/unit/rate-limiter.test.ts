import { expect, it } from '@jest/globals';
import { readSettings } from '../../src/platform/config/settings.js';
import { RateLimiter } from '../../src/platform/rate-limiting/rate-limiter.service.js';
import { TEST_SETTINGS } from '../support/test-settings.js';

/** More keys than the windows of one policy. */
const MANY_KEYS = 60_000;

it('keeps the windows of a policy when another policy has more keys than windows', () => {
  const limiter = new RateLimiter(readSettings({ ...TEST_SETTINGS, RATE_LIMITS: 'on' }));
  const hourly = { name: 'sign-ups', limit: 1, windowSeconds: 3600 };
  const busy = { name: 'anonymous', limit: 60, windowSeconds: 60 };
  limiter.consume(hourly, '192.0.2.7');
  for (let key = 0; key < MANY_KEYS; key++) limiter.consume(busy, String(key));
  expect(limiter.check(hourly, '192.0.2.7').isExceeded).toBe(true);
  expect(limiter.check(busy, '0').headers['X-RateLimit-Remaining']).toBe('60');
});
