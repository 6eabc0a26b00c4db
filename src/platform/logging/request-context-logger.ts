import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import type { Settings } from '../config/settings.js';
import { redactSecrets } from './redact-secrets.js';
import { getCurrentRequest } from './request-context.js';

const NEST_LOG_LEVELS: LogLevel[] = ['debug', 'log', 'warn', 'error', 'fatal'];

/** Members of logged objects that are masked, whatever they hold. */
const REDACTED_KEYS = [
  'password',
  'authorization',
  'cookie',
  'client_secret',
  'refresh_token',
  'access_token',
  'id_token',
  'code_verifier',
  'token',
  'secret',
];

/** Logs as the settings say: each line with the id of the request that it is about (`X-Request-Id`), and none with a secret. */
export class RequestContextLogger extends ConsoleLogger {
  constructor({ LOG_LEVEL, LOG_FORMAT }: Pick<Settings, 'LOG_LEVEL' | 'LOG_FORMAT'>) {
    const lowest = LOG_LEVEL === 'info' ? 'log' : LOG_LEVEL;
    super({
      json: LOG_FORMAT === 'json',
      colors: LOG_FORMAT === 'pretty' && Boolean(process.stdout.isTTY), // undefined means yes to Nest
      logLevels: NEST_LOG_LEVELS.slice(NEST_LOG_LEVELS.indexOf(lowest)),
      redact: REDACTED_KEYS,
    });
  }

  protected override getJsonLogObject(...given: Parameters<ConsoleLogger['getJsonLogObject']>): JsonLogObject {
    const requestId = getRequestId();
    return { ...super.getJsonLogObject(...given), ...(requestId !== undefined && { requestId }) };
  }

  protected override stringifyJsonLogObject(object: JsonLogObject): string {
    return redactSecrets(super.stringifyJsonLogObject(object));
  }

  protected override formatMessage(...given: Parameters<ConsoleLogger['formatMessage']>): string {
    const requestId = getRequestId();
    const line = redactSecrets(super.formatMessage(...given));
    return requestId === undefined ? line : line.replace(/\n$/, ` (request ${requestId})\n`);
  }

  protected override printStackTrace(stack: string): void {
    super.printStackTrace(stack && redactSecrets(stack)); // errors without one come here too
  }
}

type JsonLogObject = ReturnType<ConsoleLogger['getJsonLogObject']>;

function getRequestId(): string | undefined {
  return getCurrentRequest()?.res?.get('X-Request-Id');
}
