import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import type { Settings } from '../config/settings.js';
import { redactSecrets } from './redact-secrets.js';
import { getCurrentRequest } from './request-context.js';

const NEST_LOG_LEVELS: LogLevel[] = ['debug', 'log', 'warn', 'error', 'fatal'];

/** Members of logged objects whose values are masked. */
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

/**
 * Logs by the settings. Each line has the id of its request (`X-Request-Id`) and contains no
 * secrets.
 */
export class RequestContextLogger extends ConsoleLogger {
  constructor({ LOG_LEVEL, LOG_FORMAT }: Pick<Settings, 'LOG_LEVEL' | 'LOG_FORMAT'>) {
    const lowest = LOG_LEVEL === 'info' ? 'log' : LOG_LEVEL;
    super({
      json: LOG_FORMAT === 'json',
      // Nest treats undefined as true
      colors: LOG_FORMAT === 'pretty' && Boolean(process.stdout.isTTY),
      logLevels: NEST_LOG_LEVELS.slice(NEST_LOG_LEVELS.indexOf(lowest)),
      redact: REDACTED_KEYS,
    });
  }

  protected override getJsonLogObject(...args: Parameters<ConsoleLogger['getJsonLogObject']>): JsonLogObject {
    const requestId = getRequestId();
    return { ...super.getJsonLogObject(...args), ...(requestId !== undefined && { requestId }) };
  }

  protected override stringifyJsonLogObject(object: JsonLogObject): string {
    return redactSecrets(super.stringifyJsonLogObject(object));
  }

  protected override formatMessage(...args: Parameters<ConsoleLogger['formatMessage']>): string {
    const requestId = getRequestId();
    const line = redactSecrets(super.formatMessage(...args));
    return requestId === undefined ? line : line.replace(/\n$/, ` (request ${requestId})\n`);
  }

  protected override printStackTrace(stack: string): void {
    super.printStackTrace(stack && redactSecrets(stack)); // the stack can be undefined
  }
}

type JsonLogObject = ReturnType<ConsoleLogger['getJsonLogObject']>;

function getRequestId(): string | undefined {
  return getCurrentRequest()?.res?.get('X-Request-Id');
}
