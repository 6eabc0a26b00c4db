import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { isDatabaseUnavailable } from '../../src/platform/database/database-unavailable.js';

const createErrorWithCode = (code: string): Error => Object.assign(new Error('It failed.'), { code });

describe('isDatabaseUnavailable', () => {
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
  ])('accepts the code %s', (code) => {
    expect(isDatabaseUnavailable(createErrorWithCode(code))).toBe(true);
    expect(isDatabaseUnavailable(new QueryFailedError('SELECT 1', [], createErrorWithCode(code)))).toBe(true);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
  ])('accepts the message "%s"', (message) => {
    expect(isDatabaseUnavailable(new Error(message))).toBe(true);
    expect(isDatabaseUnavailable(new QueryFailedError('SELECT 1', [], new Error(message)))).toBe(true);
  });

  it.each([
    createErrorWithCode('23505'),
    createErrorWithCode('SQLITE_CONSTRAINT'),
    new Error('undefined is not a function'),
    'ECONNREFUSED',
    null,
  ])('rejects %p', (error) => expect(isDatabaseUnavailable(error)).toBe(false));
});
