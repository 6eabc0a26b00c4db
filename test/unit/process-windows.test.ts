import { expect, it } from '@jest/globals';
import { ProcessWindows } from '../../src/platform/rate-limiting/process-windows.js';

/** More keys than the windows of one policy. */
const MANY_KEYS = 60_000;

it('keeps the windows of a policy when another policy has more keys than windows', () => {
  const windows = new ProcessWindows();
  const hourly = { policy: { name: 'picture-uploads', limit: 1, windowSeconds: 3600 }, key: '192.0.2.7' };
  const busy = { name: 'anonymous', limit: 60, windowSeconds: 60 };
  windows.increment([hourly]);
  for (let key = 0; key < MANY_KEYS; key++) windows.increment([{ policy: busy, key: String(key) }]);
  expect(windows.read(hourly).count).toBe(1);
  expect(windows.read({ policy: busy, key: '0' }).count).toBe(0);
});

it('counts in the same window when the limit of a policy changes', () => {
  const windows = new ProcessWindows();
  const count = (limit: number): boolean =>
    windows.increment([{ policy: { name: 'tokens', limit, windowSeconds: 60 }, key: 'app_x 192.0.2.7' }]).isCounted;
  expect([count(1), count(1), count(2), count(1), count(2), count(3)]).toEqual([true, false, true, false, false, true]);
});
