import { applyDecorators } from '@nestjs/common';
import { plainToInstance, Transform } from 'class-transformer';
import {
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  validateSync,
} from 'class-validator';
import { isIP, isIPv6 } from 'node:net';
import { DATABASE_URL_RULE, isDatabaseUrl, isSqlite, readDatabaseUrl } from './database-url.js';
import { isSmtpUrl, MAIL_FROM_RULE, parseMailbox, SMTP_URL_RULE } from './mail-settings.js';
import { isStrongMasterSecret, loadOrCreateMasterSecret, STRONG_MASTER_SECRET_RULE } from './master-secret.js';
import { findNodeEnvProblem } from './node-env.js';
import { isRedisUrl, REDIS_URL_RULE } from './redis-url.js';
import { readSecretFiles, SettingsError } from './secret-files.js';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** Limit of token lifetimes: ten years, in seconds. */
const MAX_LIFETIME_SECONDS = 315_360_000;

/** Limit of the retention of the audit log: 100 years, in seconds. */
const MAX_RETENTION_SECONDS = 3_153_600_000;

/** Limit of a rate limit, in requests per minute. */
export const MAX_RATE_LIMIT = 10_000_000;
const RATE_LIMIT_RULE = `must be a whole number of requests per minute from 1 to ${MAX_RATE_LIMIT}`;

/** Accepts an integer in digits, from `min` to `max`. */
function IsIntegerSetting(min: number, max: number, rule: string): PropertyDecorator {
  const isDigits = (value: unknown): boolean => typeof value === 'string' && /^\d{1,12}$/.test(value);
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (isDigits(value) ? Number(value) : value)),
    IsInt({ message: rule }),
    Min(min, { message: rule }),
    Max(max, { message: rule }),
  );
}

/** Accepts a text that fulfills `isGood`. */
function Satisfies(isGood: (text: string) => boolean, rule: string): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value === 'string' && isGood(value);
  return ValidateBy({ name: 'good', validator: { validate } }, { message: rule });
}

/**
 * The settings of the service, read from the environment and validated once at the start. The
 * properties have the names of the environment variables.
 */
export class Settings {
  @IsIntegerSetting(1, 65535, 'must be a port number from 1 to 65535')
  PORT: number = 3000;

  @IsString()
  HOST: string = '0.0.0.0';

  /** Number of processes that serve requests. */
  @IsIntegerSetting(1, 64, 'must be a whole number of processes from 1 to 64')
  WORKERS: number = 1;

  /** The issuer, and the prefix of all links; without a trailing slash. */
  @IsOptional()
  @Satisfies(
    isBaseUrl,
    'must be an http or https URL without a slash at the end, such as https://map.example.org. Its path can contain letters, digits, dots, hyphens, underscores and tildes',
  )
  BASE_URL!: string;

  @Satisfies(isDatabaseUrl, DATABASE_URL_RULE)
  DATABASE_URL!: string;

  /** Limit of connections of a process to PostgreSQL. A start that migrates needs three. */
  @IsIntegerSetting(3, 1000, 'must be a number of connections from 3 to 1000')
  DATABASE_POOL: number = 10;

  /** Secrets that encrypt signing keys. The first one encrypts; all of them decrypt. */
  @IsArray()
  @Matches(/^.{16,}$/, {
    each: true,
    message: 'must be one or more secrets of at least 16 characters each, separated by commas',
  })
  MASTER_SECRET!: string[];

  /** Seconds; by default one hour. */
  @IsIntegerSetting(1, MAX_LIFETIME_SECONDS, 'must be a whole number of seconds from 1 to 315360000 (ten years)')
  ACCESS_TOKEN_LIFETIME: number = 3600;

  /** Seconds; by default 30 days. */
  @IsIntegerSetting(1, MAX_LIFETIME_SECONDS, 'must be a whole number of seconds from 1 to 315360000 (ten years)')
  REFRESH_TOKEN_LIFETIME: number = 2_592_000;

  /** Seconds for which an expired code or refresh token stays in the database. */
  @IsIntegerSetting(0, MAX_LIFETIME_SECONDS, 'must be a whole number of seconds from 0 to 315360000 (ten years)')
  REFRESH_TOKEN_HISTORY: number = 2_592_000;

  /** Seconds for which the service keeps audit events; if unset, it keeps them forever. */
  @IsOptional()
  @IsIntegerSetting(1, MAX_RETENTION_SECONDS, 'must be a whole number of seconds from 1 to 3153600000 (100 years)')
  AUDIT_RETENTION?: number;

  /** Maximum age of an authorization in seconds; unset for no limit. */
  @IsOptional()
  @IsIntegerSetting(1, MAX_LIFETIME_SECONDS, 'must be a whole number of seconds from 1 to 315360000 (ten years)')
  GRANT_LIFETIME?: number;

  @IsIn(['reject', 'revoke-grant'], { message: 'must be reject or revoke-grant' })
  REFRESH_TOKEN_REUSE: 'reject' | 'revoke-grant' = 'reject';

  /** Whether requests and sign-in attempts are rate-limited; `off` is for load tests. */
  @IsIn(['on', 'off'], { message: 'must be on or off' })
  RATE_LIMITS: 'on' | 'off' = 'on';

  /** Token responses per minute, for each app and network. */
  @IsIntegerSetting(1, MAX_RATE_LIMIT, RATE_LIMIT_RULE)
  TOKEN_RATE_LIMIT: number = 3000;

  /** Reads of the API per minute, for each app and person. */
  @IsIntegerSetting(1, MAX_RATE_LIMIT, RATE_LIMIT_RULE)
  API_READ_LIMIT: number = 120;

  /** Writes of the API per minute, for each app and person. */
  @IsIntegerSetting(1, MAX_RATE_LIMIT, RATE_LIMIT_RULE)
  API_WRITE_LIMIT: number = 30;

  /** The Redis or Valkey server that counts the rate limits for all processes. */
  @IsOptional()
  @Satisfies(isRedisUrl, REDIS_URL_RULE)
  REDIS_URL?: string;

  /** Whether the service compresses responses; `off` if a proxy does. */
  @IsIn(['on', 'off'], { message: 'must be on or off' })
  COMPRESSION: 'on' | 'off' = 'on';

  /** The port of the metrics endpoint. Without it, there is no metrics endpoint. */
  @IsOptional()
  @IsIntegerSetting(1, 65535, 'must be a port number from 1 to 65535')
  METRICS_PORT?: number;

  @IsString()
  METRICS_HOST: string = '127.0.0.1';

  /** The value of Express's `trust proxy`: a number of hops, `true`, or addresses and networks. */
  @IsOptional()
  @Satisfies(
    isTrustProxySetting,
    'must be the number of proxies in front of the service, true, false, or their addresses and networks, separated by commas',
  )
  TRUST_PROXY?: string;

  /** The mail server. Without it, the service sends no e-mail. */
  @IsOptional()
  @Satisfies(isSmtpUrl, SMTP_URL_RULE)
  SMTP_URL?: string;

  /** Sender of e-mail; by default `no-reply@` and the host of `BASE_URL`. */
  @IsOptional()
  @Satisfies((text) => parseMailbox(text) !== undefined, MAIL_FROM_RULE)
  MAIL_FROM!: string;

  /** An address of the people who run the service, shown on every page. */
  @IsOptional()
  @Satisfies(isContact, 'must be an https URL, or mailto: and an e-mail address')
  CONTACT?: string;

  /** The privacy policy of the people who run the service, shown on every page. */
  @IsOptional()
  @Satisfies(isHttpsPage, 'must be an https URL')
  PRIVACY_POLICY?: string;

  /** A page that shows whether the service works, shown on every page. */
  @IsOptional()
  @Satisfies(isHttpsPage, 'must be an https URL')
  STATUS_PAGE?: string;

  @IsIn(['auto', 'on', 'off'], { message: 'must be auto, on or off' })
  DEMO_DATA: 'auto' | 'on' | 'off' = 'auto';

  @IsIn(LOG_LEVELS, { message: 'must be debug, info, warn or error' })
  LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';

  @IsIn(['pretty', 'json'], { message: 'must be pretty or json' })
  LOG_FORMAT: 'pretty' | 'json' = process.stdout.isTTY ? 'pretty' : 'json';

  /** Whether the service writes one line per request to standard output. */
  @IsIn(['on', 'off'], { message: 'must be on or off' })
  ACCESS_LOG: 'on' | 'off' = 'off';

  /** The base URL of the OTLP receiver of traces. Without it, there are no traces. */
  @IsOptional()
  @Satisfies(isHttpUrl, 'must be an http or https URL without query, such as http://127.0.0.1:4318')
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** The commit that the service was built from, shown beside its version. */
  @IsOptional()
  @Matches(/^[\w.-]{1,64}$/, { message: 'must be 1 to 64 letters, digits, dots, hyphens or underscores' })
  BUILD_COMMIT?: string;

  /** `development`, `test` or `production`; unset means `development`. */
  @IsOptional()
  @IsString()
  NODE_ENV?: string;

  /** The path of `BASE_URL`, the prefix of all routes; empty if it has none. */
  get basePath(): string {
    return new URL(this.BASE_URL).pathname.replace(/\/$/, '');
  }

  /** `GRANT_LIFETIME` in milliseconds. */
  get grantLifetimeMs(): number | undefined {
    return this.GRANT_LIFETIME === undefined ? undefined : this.GRANT_LIFETIME * 1000;
  }

  /** Whether browsers use https to reach the service. */
  get isHttps(): boolean {
    return this.BASE_URL.startsWith('https:');
  }

  get isProduction(): boolean {
    return this.NODE_ENV === 'production';
  }
}

function isBaseUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s/?#@]+(\/[\w.~-]+)*$/.test(text) || !URL.canParse(text)) return false;
  const path = text.replace(/^https?:\/\/[^/]+/, '') || '/';
  return new URL(text).pathname === path; // rejects `.` and `..` segments
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/.test(text) && URL.canParse(text);
}

function isHttpsPage(text: string): boolean {
  return /^https:\/\/[^\s/?#@]+([/?#]\S*)?$/.test(text) && URL.canParse(text);
}

function isContact(text: string): boolean {
  return isHttpsPage(text) || /^mailto:[^\s@?&,:/]+@[^\s@?&,:/]+$/.test(text);
}

/**
 * Whether a text is a value of Express's `trust proxy`: hops, `true` or `false`, or addresses and
 * networks.
 */
function isTrustProxySetting(text: string): boolean {
  const isPlace = (place: string): boolean => {
    const [address = '', length = '0', ...more] = place.split('/');
    const isNetwork = isIP(address) !== 0 && /^\d{1,3}$/.test(length) && Number(length) <= (isIPv6(address) ? 128 : 32);
    return (isNetwork && more.length === 0) || ['loopback', 'linklocal', 'uniquelocal'].includes(place);
  };
  return /^(\d{1,3}|true|false)$/.test(text) || text.split(',').every((place) => isPlace(place.trim()));
}

const WORKERS_REQUIRE_POSTGRES =
  'WORKERS must be 1 with SQLite, which allows one writer at a time. For more workers, use PostgreSQL.';

const MASTER_SECRET_REQUIRED = 'MASTER_SECRET is required in production. To create one, run: openssl rand -hex 32';

/**
 * Reads the settings from the environment, and from the files that it names.
 * @throws SettingsError that names each invalid setting and its rule
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const environment = readSecretFiles(env);
  const variables = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const settings = plainToInstance(Settings, {
    ...variables,
    DATABASE_URL: readDatabaseUrl(environment),
    MASTER_SECRET: variables['MASTER_SECRET']?.split(',').map((secret) => secret.trim()) ?? [],
  });
  const errors = validateSync(settings, { whitelist: true });
  const problems = errors.map(
    ({ property, constraints }) => `${property} ${Object.values(constraints ?? {})[0] ?? 'is not valid'}.`,
  );
  const areValid = (...names: (keyof Settings)[]): boolean =>
    !errors.some(({ property }) => names.includes(property as keyof Settings));
  const nodeEnvProblem = findNodeEnvProblem(variables, settings.DATABASE_URL);
  if (nodeEnvProblem !== undefined) problems.push(nodeEnvProblem);
  if (settings.isProduction && settings.MASTER_SECRET.length === 0) problems.push(MASTER_SECRET_REQUIRED);
  if (areValid('MASTER_SECRET') && settings.isProduction && !settings.MASTER_SECRET.every(isStrongMasterSecret))
    problems.push(`MASTER_SECRET ${STRONG_MASTER_SECRET_RULE}.`);
  if (areValid('WORKERS', 'DATABASE_URL') && settings.WORKERS > 1 && isSqlite(settings.DATABASE_URL))
    problems.push(WORKERS_REQUIRE_POSTGRES);
  if (areValid('PORT', 'METRICS_PORT') && settings.METRICS_PORT === settings.PORT)
    problems.push('METRICS_PORT must differ from PORT.');
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
  settings.BASE_URL ??= `http://localhost:${settings.PORT}`;
  settings.MAIL_FROM ??= `no-reply@${new URL(settings.BASE_URL).hostname}`;
  if (settings.MASTER_SECRET.length === 0) settings.MASTER_SECRET = [loadOrCreateMasterSecret()];
  return settings;
}
