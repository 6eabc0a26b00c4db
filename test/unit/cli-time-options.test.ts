import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parseKeepOld, parseSince, parseUntil } from '../../src/app/cli/time-options.js';
import { setClock, restoreClock } from '../support/fake-clock.js';

describe('parseSince', () => {
  afterEach(restoreClock);

  it.each([
    ['90s', '2026-11-21T11:58:30.000Z'],
    ['15m', '2026-11-21T11:45:00.000Z'],
    ['24h', '2026-11-20T12:00:00.000Z'],
    ['7d', '2026-11-14T12:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T08:00Z', '2026-11-20T08:00:00.000Z'],
    ['2026-11-20T08:00+02:00', '2026-11-20T06:00:00.000Z'],
  ])('parses %s as %s', (text, moment) => {
    setClock(Date.parse('2026-11-21T12:00:00Z'));
    expect(parseSince(text).toISOString()).toBe(moment);
  });

  it.each(['', 'yesterday', '24', '7w', '-1h', '1.5h', '2026-13-45', '20', '1h ', '9999999d'])('rejects %p', (text) =>
    expect(() => parseSince(text)).toThrow(/--since must be a date/),
  );
});

describe('parseUntil', () => {
  beforeEach(() => setClock(Date.parse('2026-11-21T12:00:00Z')));
  afterEach(restoreClock);

  it.each([
    ['1s', '2026-11-21T12:00:01.000Z'],
    ['7d', '2026-11-28T12:00:00.000Z'],
    ['2026-11-22', '2026-11-22T00:00:00.000Z'],
    ['2026-11-21T12:01Z', '2026-11-21T12:01:00.000Z'],
  ])('parses %s as %s', (text, moment) => expect(parseUntil(text).toISOString()).toBe(moment));

  it.each(['', 'tomorrow', '0d', '24', '-1h', '2026-11-21', '2026-11-21T12:00Z', '2025-11-22', '2026-13-45'])(
    'rejects %p',
    (text) => expect(() => parseUntil(text)).toThrow(/--until must be a date in the future/),
  );
});

describe('parseKeepOld', () => {
  it.each([
    ['1s', 1_000],
    ['24h', 86_400_000],
    ['30d', 2_592_000_000],
  ])('parses %s as %d ms', (text, length) => expect(parseKeepOld(text)).toBe(length));

  it.each(['', '0h', '31d', '24', 'a day', '-1h'])('rejects %p', (text) =>
    expect(() => parseKeepOld(text)).toThrow(/--keep-old must be/),
  );
});
