import 'reflect-metadata';
import { ConsoleLogger } from '@nestjs/common/services/console-logger.service.js';
import type { LogLevel } from '@nestjs/common/services/logger.service.js';
import { inspect } from 'node:util';
import type { Settings } from '../config/settings.js';
import { ErrorRepeats, REPEAT_WINDOW_MS } from './error-repeats.js';
import { FRAMEWORK_EVENT } from './event-logger.js';
import { getCauseKey, type LoggedError, toLoggedError } from './logged-error.js';
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

/** A pretty value that needs no quotes. */
const PLAIN_VALUE = /^[^\s"'=]+$/;

/**
 * Logs by the settings: one line per event, with the members `event`, `message`, `requestId` (the
 * `X-Request-Id` of the response), `traceId` if tracing is on, and the fields of the event. A line
 * contains no secrets. An error is logged once with its stack; its repeats within a minute become
 * one line with their `count`.
 */
export class RequestContextLogger extends ConsoleLogger {
  private readonly errorRepeats = new ErrorRepeats();
  private readonly isJson: boolean;

  /** @param getCause returns the cause that errors with different messages share */
  constructor(
    { LOG_LEVEL, LOG_FORMAT }: Pick<Settings, 'LOG_LEVEL' | 'LOG_FORMAT'>,
    private readonly getCause: (error: unknown) => string | undefined,
  ) {
    const lowest = LOG_LEVEL === 'info' ? 'log' : LOG_LEVEL;
    const json = LOG_FORMAT === 'json';
    super({
      json,
      // Nest treats undefined as true
      colors: !json && Boolean(process.stdout.isTTY),
      logLevels: NEST_LOG_LEVELS.slice(NEST_LOG_LEVELS.indexOf(lowest)),
      redact: REDACTED_KEYS,
      flattenParams: true,
    });
    this.isJson = json;
  }

  /** Logs the counts of repeated errors. Call this when the process ends. */
  flush(): void {
    this.errorRepeats.flush();
  }

  /** Prints one line for all messages of a call. The error can be a message or a field. */
  protected override printMessages(
    messages: unknown[],
    context?: string,
    level: LogLevel = 'log',
    stream?: 'stdout' | 'stderr',
    errorStack?: unknown,
    params: Record<string, unknown> = {},
  ): void {
    const { event = FRAMEWORK_EVENT, error = messages.find((message) => message instanceof Error), ...fields } = params;
    const text = messages.map((message) => this.toText(message)).join(' ');
    const print = (message: string, members: Record<string, unknown>, stack?: string): void => {
      super.printMessages([message], context, level, stream, stack, { event, ...members });
      if (stack !== undefined && !this.isJson) process[stream ?? 'stdout'].write(`${redactSecrets(stack)}\n`);
    };
    const request = getCurrentRequest();
    const requestId = request?.res?.get('X-Request-Id');
    const ids = {
      ...(requestId !== undefined && { requestId }),
      ...(request?.traceId !== undefined && { traceId: request.traceId }),
    };
    const ownMembers = { ...fields, ...ids };
    if (error === undefined && typeof errorStack !== 'string') return print(text, ownMembers);

    const loggedError = error === undefined ? { error: text, stack: String(errorStack) } : this.describe(error);
    const { stack, ...errorMembers } = loggedError;
    const isFirst = this.errorRepeats.add(getCauseKey(String(event), loggedError), requestId, (repeats) =>
      print(`The same error occurred again within ${REPEAT_WINDOW_MS / 1000} s.`, { ...errorMembers, ...repeats }),
    );
    if (isFirst) print(text, { ...ownMembers, ...errorMembers }, stack);
  }

  /** `printMessages` prints the stack, because it prints a repeated one only once. */
  protected override printStackTrace(): void {}

  protected override stringifyJsonLogObject(object: Record<string, unknown>): string {
    const { timestamp, level, event, message, stack, ...members } = object;
    const ordered = { timestamp, level: level === 'log' ? 'info' : level, event, message, ...members, stack };
    return redactSecrets(super.stringifyJsonLogObject(ordered));
  }

  protected override formatMessage(
    ...[level, message, pid, formattedLevel, ...rest]: Parameters<ConsoleLogger['formatMessage']>
  ): string {
    const shownLevel = level === 'log' ? 'INFO'.padStart(formattedLevel.length) : formattedLevel;
    return redactSecrets(super.formatMessage(level, message, pid, shownLevel, ...rest));
  }

  /** Formats fields as `name=value`, with quotes around a value that contains spaces. */
  protected override stringifyParams(params: Record<string, unknown>): string {
    return Object.entries(params)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${formatValue(value)}`)
      .join(' ');
  }

  private describe(thrown: unknown): LoggedError {
    const cause = this.getCause(thrown);
    return { ...toLoggedError(thrown), ...(cause !== undefined && { cause }) };
  }

  private toText(message: unknown): string {
    const value = message instanceof Error ? message.message : this.resolveMessage(message);
    const text = typeof value === 'string' ? value : inspectInOneLine(this.redact(value));
    return text.trim().replace(/\s*\n\s*/g, ' ');
  }
}

function formatValue(value: unknown): string {
  if (typeof value !== 'string') return inspectInOneLine(value);
  return PLAIN_VALUE.test(value) ? value : JSON.stringify(value);
}

function inspectInOneLine(value: unknown): string {
  return inspect(value, { compact: true, breakLength: Infinity });
}
