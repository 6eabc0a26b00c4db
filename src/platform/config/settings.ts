import { isIP, isIPv6 } from 'node:net';
import { DATABASE_URL_RULE, isDatabaseUrl, isSqlite, readDatabaseUrl } from './database-url.js';
import { isSmtpUrl, MAIL_FROM_RULE, parseMailbox, SMTP_URL_RULE } from './mail-settings.js';
import { isStrongMasterSecret, loadOrCreateMasterSecret, STRONG_MASTER_SECRET_RULE } from './master-secret.js';
import { findNodeEnvProblem } from './node-env.js';
import { isRedisUrl, REDIS_URL_RULE } from './redis-url.js';
import { readSecretFiles, SettingsError } from './secret-files.js';
import { isSpdxLicense } from './spdx-license.js';
import { ChoiceSetting, IntegerSetting, Setting, SETTING_RULES, TextSetting } from './setting-rules.js';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** Limit of token lifetimes: ten years, in seconds. */
const MAX_LIFETIME_SECONDS = 315_360_000;

/** Limit of the retention of the audit log: 100 years, in seconds. */
const MAX_RETENTION_SECONDS = 3_153_600_000;

/** Limit of a rate limit, in requests per minute. */
export const MAX_RATE_LIMIT = 10_000_000;
const RATE_LIMIT_RULE = `must be a whole number of requests per minute from 1 to ${MAX_RATE_LIMIT}`;

/**
 * The settings of the service, read from the environment and validated once at the start. The
 * properties have the names of the environment variables.
 */
export class Settings {
  @IntegerSetting(1, 65535, 'must be a port number from 1 to 65535')
  PORT: number = 3000;

  @TextSetting()
  HOST: string = '0.0.0.0';

  /** Number of processes that serve requests. */
  @IntegerSetting(1, 64, 'must be a whole number of processes from 1 to 64')
  WORKERS: number = 1;

  /** The issuer, and the prefix of all links; without a trailing slash. */
  @TextSetting(
    'must be an http or https URL without a slash at the end, such as https://map.example.org. Its path can contain letters, digits, dots, hyphens, underscores and tildes',
    isBaseUrl,
  )
  BASE_URL!: string;

  @TextSetting(DATABASE_URL_RULE, isDatabaseUrl)
  DATABASE_URL!: string;

  /** Limit of connections of a process to PostgreSQL. A start that migrates needs three. */
  @IntegerSetting(3, 1000, 'must be a number of connections from 3 to 1000')
  DATABASE_POOL: number = 10;

  /** Secrets that encrypt signing keys. The first one encrypts; all of them decrypt. */
  @Setting('must be one or more secrets of at least 16 characters each, separated by commas', parseSecrets)
  MASTER_SECRET: string[] = [];

  /** Seconds; by default one hour. */
  @IntegerSetting(1, MAX_LIFETIME_SECONDS, 'must be a whole number of seconds from 1 to 315360000 (ten years)')
  ACCESS_TOKEN_LIFETIME: number = 3600;

  /** Seconds; by default 30 days. */
  @IntegerSetting(1, MAX_LIFETIME_SECONDS, 'must be a whole number of seconds from 1 to 315360000 (ten years)')
  REFRESH_TOKEN_LIFETIME: number = 2_592_000;

  /** Seconds for which an expired code or refresh token stays in the database. */
  @IntegerSetting(0, MAX_LIFETIME_SECONDS, 'must be a whole number of seconds from 0 to 315360000 (ten years)')
  REFRESH_TOKEN_HISTORY: number = 2_592_000;

  /** Seconds for which the service keeps audit events; if unset, it keeps them forever. */
  @IntegerSetting(1, MAX_RETENTION_SECONDS, 'must be a whole number of seconds from 1 to 3153600000 (100 years)')
  AUDIT_RETENTION?: number;

  /** Seconds for which people see what apps did for them; by default 180 days. */
  @IntegerSetting(1, MAX_RETENTION_SECONDS, 'must be a whole number of seconds from 1 to 3153600000 (100 years)')
  APP_RECORD_RETENTION: number = 15_552_000;

  /** Maximum age of an authorization in seconds; unset for no limit. */
  @IntegerSetting(1, MAX_LIFETIME_SECONDS, 'must be a whole number of seconds from 1 to 315360000 (ten years)')
  GRANT_LIFETIME?: number;

  @ChoiceSetting('reject', 'revoke-grant')
  REFRESH_TOKEN_REUSE: 'reject' | 'revoke-grant' = 'reject';

  /** Whether requests and sign-in attempts are rate-limited; `off` is for load tests. */
  @ChoiceSetting('on', 'off')
  RATE_LIMITS: 'on' | 'off' = 'on';

  /** Token responses per minute, for each app and network. */
  @IntegerSetting(1, MAX_RATE_LIMIT, RATE_LIMIT_RULE)
  TOKEN_RATE_LIMIT: number = 3000;

  /** Reads of the API per minute, for each app and person. */
  @IntegerSetting(1, MAX_RATE_LIMIT, RATE_LIMIT_RULE)
  API_READ_LIMIT: number = 120;

  /** Writes of the API per minute, for each app and person. */
  @IntegerSetting(1, MAX_RATE_LIMIT, RATE_LIMIT_RULE)
  API_WRITE_LIMIT: number = 30;

  /** The Redis or Valkey server that counts the rate limits for all processes. */
  @TextSetting(REDIS_URL_RULE, isRedisUrl)
  REDIS_URL?: string;

  /** Whether assistants can use the map through the Model Context Protocol. */
  @ChoiceSetting('on', 'off')
  MCP: 'on' | 'off' = 'on';

  /** Hosts whose client ID metadata documents describe apps; `any` for all, `off` for none. */
  @TextSetting('must be off, any, or hosts such as assistant.example.org, separated by commas', isHostList)
  CLIENT_ID_METADATA: string = 'off';

  /** Whether the service compresses responses; `off` if a proxy does. */
  @ChoiceSetting('on', 'off')
  COMPRESSION: 'on' | 'off' = 'on';

  /** The port of the metrics endpoint. Without it, there is no metrics endpoint. */
  @IntegerSetting(1, 65535, 'must be a port number from 1 to 65535')
  METRICS_PORT?: number;

  @TextSetting()
  METRICS_HOST: string = '127.0.0.1';

  /** The value of Express's `trust proxy`: a number of hops, `true`, or addresses and networks. */
  @TextSetting(
    'must be the number of proxies in front of the service, true, false, or their addresses and networks, separated by commas',
    isTrustProxySetting,
  )
  TRUST_PROXY?: string;

  /** The mail server. Without it, the service sends no e-mail. */
  @TextSetting(SMTP_URL_RULE, isSmtpUrl)
  SMTP_URL?: string;

  /** Sender of e-mail; by default `no-reply@` and the host of `BASE_URL`. */
  @TextSetting(MAIL_FROM_RULE, (text) => parseMailbox(text) !== undefined)
  MAIL_FROM!: string;

  /** An address of the people who run the service, shown on every page. */
  @TextSetting('must be an https URL, or mailto: and an e-mail address', isContact)
  CONTACT?: string;

  /** Where to report a vulnerability; by default `CONTACT`. */
  @TextSetting('must be an https URL, or mailto: and an e-mail address', isContact)
  SECURITY_CONTACT?: string;

  /** The privacy policy of the people who run the service, shown on every page. */
  @TextSetting('must be an https URL', isHttpsPage)
  PRIVACY_POLICY?: string;

  /** A page that shows whether the service works, shown on every page. */
  @TextSetting('must be an https URL', isHttpsPage)
  STATUS_PAGE?: string;

  /** The license of the data, as an id of the SPDX License List. */
  @TextSetting('must be an id of the SPDX License List (https://spdx.org/licenses/), such as CC-BY-4.0', isSpdxLicense)
  DATA_LICENSE?: string;

  /** The sentence that users of the data must show. */
  @TextSetting('must be 1 to 200 characters on one line', (text) => /^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u.test(text))
  ATTRIBUTION?: string;

  /** The terms of use, to which people agree when they sign up. */
  @TextSetting('must be an https URL', isHttpsPage)
  TERMS_URL?: string;

  /** Whether everyone can download the data without an account. */
  @ChoiceSetting('on', 'off')
  PUBLIC_EXPORT: 'on' | 'off' = 'off';

  @ChoiceSetting('auto', 'on', 'off')
  DEMO_DATA: 'auto' | 'on' | 'off' = 'auto';

  @ChoiceSetting(...LOG_LEVELS)
  LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';

  @ChoiceSetting('pretty', 'json')
  LOG_FORMAT: 'pretty' | 'json' = process.stdout.isTTY ? 'pretty' : 'json';

  /** Whether the service writes one line per request to standard output. */
  @ChoiceSetting('on', 'off')
  ACCESS_LOG: 'on' | 'off' = 'off';

  /** The base URL of the OTLP receiver of traces. Without it, there are no traces. */
  @TextSetting('must be an http or https URL without query, such as http://127.0.0.1:4318', isHttpUrl)
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;

  /** The commit that the service was built from, shown beside its version. */
  @TextSetting('must be 1 to 64 letters, digits, dots, hyphens or underscores', (text) => /^[\w.-]{1,64}$/.test(text))
  BUILD_COMMIT?: string;

  /** `development`, `test` or `production`; unset means `development`. */
  @TextSetting()
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

  /** Members of each response and file with data: none if the operator set no license. */
  get licenseMembers(): { license?: string; attribution?: string } {
    const { DATA_LICENSE: license, ATTRIBUTION: attribution } = this;
    return { ...(license !== undefined && { license }), ...(attribution !== undefined && { attribution }) };
  }

  /** Address of the text of `DATA_LICENSE`. */
  get licenseUrl(): string | undefined {
    return this.DATA_LICENSE === undefined ? undefined : `https://spdx.org/licenses/${this.DATA_LICENSE}.html`;
  }

  /** The header `Link` of each response with data (RFC 8288). */
  get licenseLink(): string | undefined {
    return this.licenseUrl === undefined ? undefined : `<${this.licenseUrl}>; rel="license"`;
  }

  get isProduction(): boolean {
    return this.NODE_ENV === 'production';
  }
}

/** Returns the secrets of a comma-separated list; undefined if one is too short. */
function parseSecrets(text: string): string[] | undefined {
  const secrets = text.split(',').map((secret) => secret.trim());
  return secrets.every((secret) => /^.{16,}$/.test(secret)) ? secrets : undefined;
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
  const variables: NodeJS.ProcessEnv = { ...environment, DATABASE_URL: readDatabaseUrl(environment) };
  const parsed = [...SETTING_RULES].flatMap(([name, { rule, parse }]) =>
    variables[name] ? [{ name, rule, value: parse(variables[name]) }] : [],
  );
  const values = Object.fromEntries(parsed.map(({ name, value }) => [name, value]));
  const settings = Object.assign(new Settings(), values);
  const invalid = parsed.filter(({ value }) => value === undefined);
  const problems = invalid.map(({ name, rule }) => `${name} ${rule}.`);
  const areValid = (...names: (keyof Settings)[]): boolean =>
    !invalid.some(({ name }) => names.includes(name as keyof Settings));
  const nodeEnvProblem = findNodeEnvProblem(variables, variables['DATABASE_URL']!);
  if (nodeEnvProblem !== undefined) problems.push(nodeEnvProblem);
  if (areValid('MASTER_SECRET') && settings.isProduction) {
    if (settings.MASTER_SECRET.length === 0) problems.push(MASTER_SECRET_REQUIRED);
    if (!settings.MASTER_SECRET.every(isStrongMasterSecret))
      problems.push(`MASTER_SECRET ${STRONG_MASTER_SECRET_RULE}.`);
  }
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

/** Whether a text is `off`, `any`, or a list of hosts. A host has a dot. */
function isHostList(text: string): boolean {
  if (text === 'off' || text === 'any') return true;
  return text.split(',').every((host) => /^[a-z\d-]+(?:\.[a-z\d-]+)+(?::\d{1,5})?$/.test(host));
}

/** Returns the settings of this process. @throws SettingsError */
export function getEnvironmentSettings(): Settings {
  return readSettings(process.env);
}
