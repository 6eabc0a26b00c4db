import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { CommitUncertainError } from '../../src/platform/database/uncertain-commit.js';
import {
  getUnavailableCause,
  isDatabaseOutage,
  isDatabaseUnavailable,
} from '../../src/platform/database/database-unavailable.js';

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

describe('getUnavailableCause', () => {
  it.each([
    ['cannot_connect', createErrorWithCode('ECONNREFUSED')],
    ['cannot_connect', createErrorWithCode('57P03')],
    ['cannot_connect', createErrorWithCode('08001')],
    ['connection_lost', createErrorWithCode('ECONNRESET')],
    ['connection_lost', createErrorWithCode('57P01')],
    ['connection_lost', new Error('Connection terminated unexpectedly')],
    ['connection_lost', new CommitUncertainError(new Error('Connection terminated unexpectedly'))],
    ['timeout', new Error('Connection terminated due to connection timeout')],
    ['timeout', new Error('timeout exceeded when trying to connect')],
    ['timeout', createErrorWithCode('57014')],
    ['read_only', createErrorWithCode('25006')],
    ['out_of_resources', createErrorWithCode('53300')],
    ['out_of_resources', createErrorWithCode('ENOSPC')],
    ['disk_error', createErrorWithCode('SQLITE_IOERR_WRITE')],
    ['contention', createErrorWithCode('40P01')],
    ['contention', createErrorWithCode('SQLITE_BUSY')],
    [undefined, createErrorWithCode('23505')],
  ])('is %s for %p', (cause, error) => {
    expect(getUnavailableCause(error)).toBe(cause);
    expect(getUnavailableCause(new QueryFailedError('SELECT 1', [], error))).toBe(cause);
  });
});

describe('isDatabaseOutage', () => {
  it('rejects a failure of a single statement', () => {
    expect(['57014', '40P01', '55000', 'SQLITE_BUSY'].map(createErrorWithCode).filter(isDatabaseOutage)).toEqual([]);
    expect(isDatabaseOutage(createErrorWithCode('57P01'))).toBe(true);
  });
});
