import { describe, expect, it } from '@jest/globals';
import { loadOrCreateMasterSecret } from '../../src/platform/config/master-secret.js';
import { readSettings } from '../../src/platform/config/settings.js';
import { SettingsError } from '../../src/platform/config/secret-files.js';

const MASTER_SECRET_SETTING = { MASTER_SECRET: 'a secret of the tests, and of them alone' };

describe('Settings', () => {
  it('have defaults, with the lifetimes of the spec (spec §8)', () => {
    expect(readSettings(MASTER_SECRET_SETTING)).toMatchObject({
      PORT: 3000,
      HOST: '0.0.0.0',
      WORKERS: 1,
      BASE_URL: 'http://localhost:3000',
      DATABASE_URL: 'sqlite:data/street-art.sqlite',
      ACCESS_TOKEN_LIFETIME: 3600,
      REFRESH_TOKEN_LIFETIME: 30 * 24 * 3600,
      REFRESH_TOKEN_REUSE: 'reject',
      TOKEN_RATE_LIMIT: 3000,
      API_READ_LIMIT: 120,
      API_WRITE_LIMIT: 30,
      DEMO_DATA: 'auto',
      LOG_LEVEL: 'info',
    });
  });

  it('put the port into the default BASE_URL, and treat an empty value as unset', () => {
    expect(readSettings({ ...MASTER_SECRET_SETTING, PORT: '8080', HOST: '' })).toMatchObject({
      PORT: 8080,
      HOST: '0.0.0.0',
      BASE_URL: 'http://localhost:8080',
    });
  });

  it.each(['1', 'true', 'loopback', '10.0.0.0/8, ::1', 'fd00::/8'])('accept TRUST_PROXY=%s', (setting) => {
    expect(readSettings({ ...MASTER_SECRET_SETTING, TRUST_PROXY: setting }).TRUST_PROXY).toBe(setting);
  });

  it.each(['http://localhost:80', 'https://map.example.org:443', 'https://example.org/map', 'http://[::1]:3000'])(
    'accept BASE_URL=%s',
    (BASE_URL) =>
      expect(readSettings({ ...MASTER_SECRET_SETTING, NODE_ENV: 'test', BASE_URL }).BASE_URL).toBe(BASE_URL),
  );

  it('accept several workers on PostgreSQL', () => {
    const postgres = { ...MASTER_SECRET_SETTING, NODE_ENV: 'test', DATABASE_URL: 'postgres://localhost/map' };
    expect(readSettings({ ...postgres, WORKERS: '64' }).WORKERS).toBe(64);
  });

  it('have no GRANT_LIFETIME by default, and accept one from 1 second', () => {
    for (const unset of [{}, { GRANT_LIFETIME: '' }])
      expect(readSettings({ ...MASTER_SECRET_SETTING, ...unset }).grantLifetimeMs).toBeUndefined();
    expect(readSettings({ ...MASTER_SECRET_SETTING, GRANT_LIFETIME: '1' }).grantLifetimeMs).toBe(1000);
  });

  it.each([
    'smtp://127.0.0.1:25',
    'smtps://mail.example.org',
    'smtp://user:p%40ss@mail.example.org:587',
    'smtp://[::1]',
  ])('accept SMTP_URL=%s', (url) =>
    expect(readSettings({ ...MASTER_SECRET_SETTING, SMTP_URL: url }).SMTP_URL).toBe(url),
  );

  it.each([
    'redis://127.0.0.1',
    'redis://redis.example.org:6380/2',
    'rediss://user:p%40ss@redis.example.org',
    'redis://:password@[::1]:6379/',
  ])('accept REDIS_URL=%s', (url) =>
    expect(readSettings({ ...MASTER_SECRET_SETTING, REDIS_URL: url }).REDIS_URL).toBe(url),
  );

  it.each(['map@example.org', 'Street art map <map@example.org>'])('accept MAIL_FROM=%s', (from) => {
    expect(readSettings({ ...MASTER_SECRET_SETTING, MAIL_FROM: from }).MAIL_FROM).toBe(from);
  });

  it('derive MAIL_FROM from BASE_URL by default', () => {
    const environment = { ...MASTER_SECRET_SETTING, NODE_ENV: 'test', BASE_URL: 'https://map.example.org:8443/map' };
    expect(readSettings(environment).MAIL_FROM).toBe('no-reply@map.example.org');
  });

  it.each([
    ['SMTP_URL', 'smtp://user:the-password@host/x'],
    ['REDIS_URL', 'redis://user:the-password@host/x'],
  ])('do not repeat the password of an invalid %s', (name, url) => {
    const rule = new RegExp(`^${name} (?!.*the-password)`);
    expect(() => readSettings({ ...MASTER_SECRET_SETTING, [name]: url })).toThrow(rule);
  });

  it('accept several master secrets', () => {
    const two = { MASTER_SECRET: 'the new secret 0123, the old secret 4567' };
    expect(readSettings(two).MASTER_SECRET).toEqual(['the new secret 0123', 'the old secret 4567']);
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '0'],
    ['PORT', '0x10'],
    ['PORT', '4e3'],
    ['PORT', 'http'],
    ['PORT', '1.5'],
    ['WORKERS', '0'],
    ['WORKERS', '65'],
    ['WORKERS', 'all'],
    ['WORKERS', '2'], // on SQLite
    ['BASE_URL', 'map.example.org'],
    ['BASE_URL', 'https://map.example.org/'],
    ['BASE_URL', 'https://map.example.org?x'],
    ['BASE_URL', 'http://['],
    ['BASE_URL', 'https://example.org/a:b'],
    ['BASE_URL', 'https://example.org/x*'],
    ['BASE_URL', 'https://example.org/{m}'],
    ['BASE_URL', 'https://example.org/a/../b'],
    ['BASE_URL', 'https://example.org/a//b'],
    ['BASE_URL', 'https://user@map.example.org'],
    ['BASE_URL', 'https://map.example.org:99999'],
    ['DATABASE_URL', 'postgres://:::'],
    ['DATABASE_URL', 'postgres://db/map?sslmode=prefer'],
    ['DATABASE_URL', 'postgres://db/map?sslmode=verify-ca'],
    ['DATABASE_URL', 'postgres://db/map?sslmode=require&sslrootcert=system'],
    ['DATABASE_URL', 'postgres://db/map?sslmode=require&sslmode=disable'],
    ['DATABASE_URL', 'postgres://db/map?sslmode=verify-full&sslcert=map.crt'],
    ['DATABASE_URL', 'postgres://db/map?sslmode=verify-full&sslcrl=revoked.pem'],
    ['DATABASE_POOL', '2'],
    ['REDIS_URL', '127.0.0.1:6379'],
    ['REDIS_URL', 'http://127.0.0.1:6379'],
    ['REDIS_URL', 'redis://'],
    ['REDIS_URL', 'redis://127.0.0.1:6379?db=1'],
    ['REDIS_URL', 'redis://127.0.0.1/map'],
    ['REDIS_URL', 'redis://:100%@127.0.0.1'],
    ['TRUST_PROXY', 'banana'],
    ['TRUST_PROXY', '-1'],
    ['TRUST_PROXY', '256.1.1.1'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['REFRESH_TOKEN_LIFETIME', '1e13'],
    ['REFRESH_TOKEN_LIFETIME', '9999999999'],
    ['DATABASE_URL', 'mysql://localhost'],
    ['DATABASE_URL', 'sqlite:'],
    ['MASTER_SECRET', 'short'],
    ['MASTER_SECRET', 'a secret of the tests, and of them alone,short'],
    ['ACCESS_TOKEN_LIFETIME', '0'],
    ['REFRESH_TOKEN_LIFETIME', '30d'],
    ['GRANT_LIFETIME', '0'],
    ['APP_RECORD_RETENTION', '0'],
    ['APP_RECORD_RETENTION', '-1'],
    ['GRANT_LIFETIME', '-1'],
    ['GRANT_LIFETIME', '90d'],
    ['GRANT_LIFETIME', '9999999999'],
    ['REFRESH_TOKEN_REUSE', 'ignore'],
    ['DEMO_DATA', 'yes'],
    ['SMTP_URL', 'mail.example.org'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'http://mail.example.org'],
    ['SMTP_URL', 'smtp://mail.example.org:0'],
    ['SMTP_URL', 'smtp://mail.example.org/path'],
    ['SMTP_URL', 'smtp://mail.example.org?pool=true'],
    ['SMTP_URL', 'smtp://user:100%@mail.example.org'],
    ['MAIL_FROM', 'map'],
    ['MAIL_FROM', 'Map map@example.org'],
    ['MAIL_FROM', 'map@example.org, other@example.org'],
    ['MAIL_FROM', 'Map <map@example.org'],
    ['MAIL_FROM', 'Map\r\nBcc: <map@example.org>'],
    ['LOG_LEVEL', 'loud'],
    ['LOG_FORMAT', 'xml'],
    ['ACCESS_LOG', 'json'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', '127.0.0.1:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://127.0.0.1:4317'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318?x=y'],
    ['CONTACT', 'map@example.org'],
    ['CONTACT', 'http://example.org'],
    ['CONTACT', 'https://'],
    ['CONTACT', 'https://user@example.org'],
    ['CONTACT', 'mailto:'],
    ['CONTACT', 'mailto:map'],
    ['CONTACT', 'mailto:map@example.org?bcc=other@example.org'],
    ['CONTACT', 'javascript:alert(1)'],
    ['SECURITY_CONTACT', 'http://example.org/security'],
    ['PRIVACY_POLICY', 'http://example.org/privacy'],
    ['PRIVACY_POLICY', 'mailto:map@example.org'],
    ['PUBLIC_EXPORT', 'yes'],
    ['TOKEN_RATE_LIMIT', '0'],
    ['API_READ_LIMIT', '-1'],
    ['API_WRITE_LIMIT', '10000001'],
    ['API_READ_LIMIT', '1.5'],
    ['STATUS_PAGE', 'javascript:alert(1)'],
    ['STATUS_PAGE', 'status.example.org'],
    ['BUILD_COMMIT', 'two words'],
    ['BUILD_COMMIT', '"quoted"'],
    ['BUILD_COMMIT', 'x'.repeat(65)],
  ])('reject an invalid value with the name and the expected value: %s=%s', (name, value) => {
    expect(() => readSettings({ ...MASTER_SECRET_SETTING, [name]: value })).toThrow(new RegExp(`^${name} must be `));
  });

  it('name each invalid setting on its own line, with its rule', () => {
    const environment = {
      PORT: '9464',
      WORKERS: '2',
      BASE_URL: 'x',
      METRICS_PORT: '9464',
      LOG_LEVEL: 'x',
      NODE_ENV: 'production',
    };
    expect(() => readSettings(environment)).toThrow(
      new SettingsError(
        [
          'BASE_URL must be an http or https URL without a slash at the end, such as https://map.example.org. Its path can contain letters, digits, dots, hyphens, underscores and tildes.',
          'LOG_LEVEL must be debug, info, warn or error.',
          'MASTER_SECRET is required in production. To create one, run: openssl rand -hex 32',
          'WORKERS must be 1 with SQLite, which allows one writer at a time. For more workers, use PostgreSQL.',
          'METRICS_PORT must differ from PORT.',
        ].join('\n'),
      ),
    );
  });

  it.each(['prod', 'Production', 'PRODUCTION', 'dev', 'staging', ' ', 'production ', 'production,test'])(
    'reject NODE_ENV=%j, so that it never means development',
    (NODE_ENV) => {
      const environment = { ...MASTER_SECRET_SETTING, NODE_ENV };
      expect(() => readSettings(environment)).toThrow(/^NODE_ENV must be development, test or production\.$/);
    },
  );

  const PUBLIC_ADDRESSES = [
    [{ BASE_URL: 'https://map.example.org' }, 'an https BASE_URL'],
    [{ DATABASE_URL: 'postgres://db/map' }, 'a PostgreSQL address'],
    [
      { BASE_URL: 'https://localhost', DATABASE_URL: 'postgresql://a,b/map' },
      'an https BASE_URL and a PostgreSQL address',
    ],
  ] as const;

  it.each(PUBLIC_ADDRESSES)('require NODE_ENV with %j', (addresses, reason) => {
    for (const unset of [{}, { NODE_ENV: '' }]) {
      expect(() => readSettings({ ...MASTER_SECRET_SETTING, ...addresses, ...unset })).toThrow(
        new SettingsError(
          `NODE_ENV must be set with ${reason}. Set it to production, or to development for demo data.`,
        ),
      );
    }
    for (const NODE_ENV of ['development', 'test'])
      expect(readSettings({ ...MASTER_SECRET_SETTING, ...addresses, NODE_ENV }).isProduction).toBe(false);
  });

  it('do not require NODE_ENV on the own machine', () => {
    const local = { ...MASTER_SECRET_SETTING, BASE_URL: 'http://192.0.2.1', DATABASE_URL: 'sqlite:map.sqlite' };
    expect(readSettings(local).isProduction).toBe(false);
  });

  it('report an invalid setting once, without the rules that compare it with another one', () => {
    const environment = { ...MASTER_SECRET_SETTING, PORT: 'x', METRICS_PORT: 'x', WORKERS: '65' };
    expect(() => readSettings(environment)).toThrow(/^(PORT|METRICS_PORT|WORKERS) must be .*\n.*\n.*$/);
    expect(() => readSettings(environment)).not.toThrow(/must differ|SQLite/);
  });

  it.each([{ DATABASE_URL: 'mysql://map:hidden-value@db/map' }, { MASTER_SECRET: 'hidden-value' }])(
    'do not print the value of %j in an error',
    (environment) => {
      const read = (): unknown => readSettings({ ...MASTER_SECRET_SETTING, ...environment });
      expect(read).toThrow(SettingsError);
      expect(read).not.toThrow(/hidden/);
    },
  );

  it('name MASTER_SECRET when its file cannot be read or created', () => {
    expect(() => loadOrCreateMasterSecret('package.json')).toThrow(
      /^MASTER_SECRET is not set, and package\.json\/master-secret cannot be read or created: ENOTDIR.* Set MASTER_SECRET, or allow access to this file\.$/,
    );
  });
});
