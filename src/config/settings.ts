import { plainToInstance, Transform } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsOptional, IsString, Matches, Max, Min, validateSync } from 'class-validator';
import { readDatabaseUrl } from './database-url.js';
import { developmentMasterSecret } from './master-secret.js';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** A number from the environment; anything else stays as it is and fails its check. */
const Numeric = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && value.trim() !== '' ? Number(value) : value,
  );

/** What the operator sets, by the environment, read and checked once at start. The names are those of the environment. */
export class Settings {
  @Numeric()
  @IsInt({ message: 'takes a port number, 0 to 65535' })
  @Min(0, { message: 'takes a port number, 0 to 65535' })
  @Max(65535, { message: 'takes a port number, 0 to 65535' })
  PORT: number = 3000;

  @IsString()
  HOST: string = '0.0.0.0';

  /** The issuer, and the start of every link; without a slash at its end. */
  @Matches(/^https?:\/\/[^\s/?#]+(\/[^\s?#]*[^\s/?#])?$/, {
    message: 'takes an http or https address without a slash at its end, such as https://map.example.org',
  })
  BASE_URL!: string;

  @Matches(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, {
    message: 'takes sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  })
  DATABASE_URL!: string;

  /** Encrypts signing keys. The first encrypts, all decrypt. */
  @IsArray()
  @Matches(/^.{16,}$/, { each: true, message: 'takes secrets of at least 16 characters, separated by commas' })
  MASTER_SECRET!: string[];

  /** Seconds. */
  @Numeric()
  @IsInt({ message: 'takes a whole number of seconds' })
  @Min(1, { message: 'takes at least 1 second' })
  ACCESS_TOKEN_LIFETIME: number = 3600;

  /** Seconds. */
  @Numeric()
  @IsInt({ message: 'takes a whole number of seconds' })
  @Min(1, { message: 'takes at least 1 second' })
  REFRESH_TOKEN_LIFETIME: number = 2_592_000;

  @IsIn(['reject', 'revoke-grant'], { message: 'takes reject or revoke-grant' })
  REFRESH_TOKEN_REUSE: 'reject' | 'revoke-grant' = 'reject';

  /** Express's setting: a number of hops, `true`, or addresses and networks. */
  @IsOptional()
  @IsString()
  TRUST_PROXY?: string;

  @IsIn(['auto', 'on', 'off'], { message: 'takes auto, on or off' })
  DEMO_DATA: 'auto' | 'on' | 'off' = 'auto';

  @IsIn(LOG_LEVELS, { message: `takes one of ${LOG_LEVELS.join(', ')}` })
  LOG_LEVEL: (typeof LOG_LEVELS)[number] = 'info';

  @IsIn(['pretty', 'json'], { message: 'takes pretty or json' })
  LOG_FORMAT: 'pretty' | 'json' = process.stdout.isTTY ? 'pretty' : 'json';

  @IsOptional()
  @IsString()
  NODE_ENV?: string;

  get production(): boolean {
    return this.NODE_ENV === 'production';
  }
}

/** A setting that stops the service: its name and what it takes, a line each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** Reads the environment. @throws SettingsError that names each bad setting and what it takes */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  if (given['NODE_ENV'] === 'production' && !given['MASTER_SECRET']) {
    throw new SettingsError('MASTER_SECRET is required in production: 32 random characters that you keep.');
  }
  const settings = plainToInstance(Settings, {
    ...given,
    BASE_URL: given['BASE_URL'] ?? `http://localhost:${given['PORT'] ?? '3000'}`,
    DATABASE_URL: readDatabaseUrl(env),
    MASTER_SECRET: given['MASTER_SECRET']?.split(',').map((secret) => secret.trim()) ?? [],
  });
  const problems = validateSync(settings, { whitelist: true }).map(
    ({ property, constraints }) => `${property} ${Object.values(constraints ?? {})[0] ?? 'is not valid'}.`,
  );
  if (problems.length > 0) throw new SettingsError(problems.join('\n'));
  if (settings.MASTER_SECRET.length === 0) settings.MASTER_SECRET = [developmentMasterSecret()];
  return settings;
}
