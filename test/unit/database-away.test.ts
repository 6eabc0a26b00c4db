import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { isDatabaseAway } from '../../src/database/database-away.js';

const withCode = (code: string): Error => Object.assign(new Error('It failed.'), { code });

describe('A database is away for now', () => {
  it.each([
    'SQLITE_BUSY',
    'SQLITE_FULL',
    'SQLITE_IOERR_WRITE',
    'EIO',
    'ENOSPC',
    'ECONNREFUSED',
    '57P01',
    '53300',
    '08006',
    '3D000',
    '25006',
    '55000',
  ])('by %s', (code) => {
    expect(isDatabaseAway(withCode(code))).toBe(true);
    expect(isDatabaseAway(new QueryFailedError('SELECT 1', [], withCode(code)))).toBe(true);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
  ])('by "%s"', (message) => {
    expect(isDatabaseAway(new Error(message))).toBe(true);
    expect(isDatabaseAway(new QueryFailedError('SELECT 1', [], new Error(message)))).toBe(true);
  });

  it.each([
    withCode('23505'),
    withCode('SQLITE_CONSTRAINT'),
    new Error('undefined is not a function'),
    'ECONNREFUSED',
    null,
  ])('but not by %p', (error) => expect(isDatabaseAway(error)).toBe(false));
});
