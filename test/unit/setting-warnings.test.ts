import { describe, expect, it } from '@jest/globals';
import { listMisspelledSettings, listSettingWarnings } from '../../src/platform/config/setting-warnings.js';
import { readSettings } from '../../src/platform/config/settings.js';

const SAFE = {
  BASE_URL: 'https://map.example.org',
  NODE_ENV: 'test',
  MASTER_SECRET: 'a secret of the tests, and of them alone',
  SMTP_URL: 'smtp://mail.example.org',
  TRUST_PROXY: '1',
};

describe('A warning about a setting', () => {
  const list = (environment: Record<string, string>): string[] =>
    listSettingWarnings(readSettings({ ...SAFE, ...environment }), environment);

  it.each<[string, Record<string, string>]>([
    ['SMTP_URL', { SMTP_URL: '' }],
    ['BASE_URL', { BASE_URL: 'http://map.example.org' }],
    ['RATE_LIMITS', { RATE_LIMITS: 'off' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'true' }],
    ['ACESS_TOKEN_LIFETIME', { ACESS_TOKEN_LIFETIME: '60' }],
  ])('names %s', (name, environment) => {
    expect(list(environment)).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
  });

  it.each(['http://localhost:3000', 'http://map.localhost', 'http://127.0.0.1', 'http://[::1]:80'])(
    'is not given for the BASE_URL %s',
    (BASE_URL) => expect(list({ BASE_URL })).toEqual([]),
  );

  it('is not given for safe settings', () => expect(list({})).toEqual([]));
});

describe('A misspelled setting', () => {
  it.each([
    ['ACESS_TOKEN_LIFETIME', 'ACCESS_TOKEN_LIFETIME'],
    ['MASTER_SECRETS', 'MASTER_SECRET'],
    ['MASTER_SECRET_FLIE', 'MASTER_SECRET_FILE'],
    ['WORKER', 'WORKERS'],
    ['DATABASE_URI', 'DATABASE_URL'],
  ])('%s is named with %s', (variable, name) => {
    const sentence = `${variable} is not a setting. Did you mean ${name}?`;
    expect(listMisspelledSettings({ [variable]: 'x' })).toEqual([sentence]);
  });

  it.each([
    'PATH',
    'HOME',
    'PWD',
    'LANG',
    'TERM',
    'SHELL',
    'HOSTNAME',
    'LOGNAME',
    'NODE_OPTIONS',
    'WORKERS',
    'DATABASE_URL_FILE',
  ])('is not %s', (variable) => expect(listMisspelledSettings({ [variable]: 'x' })).toEqual([]));
});
