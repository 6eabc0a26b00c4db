import 'reflect-metadata';
// Not the whole of @nestjs/common, whose memory the supervisor of the workers would keep.
import { Logger } from '@nestjs/common/services/logger.service.js';

/** Levels of log events, as in `LOG_LEVEL`. */
export type LogEventLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * The events that every part of the service can log, with their levels. The modules declare their
 * own events where they create their `EventLogger`. docs/monitor.md explains each one.
 */
export const LOG_EVENTS = {
  server_started: 'info',
  setting_doubtful: 'warn',
  server_stopping: 'info',
  worker_ready: 'info',
  worker_hung: 'error',
  worker_exited: 'error',
  worker_restarting: 'info',
  request: 'debug',
  database_unavailable: 'error',
  unhandled_error: 'error',
  spans_not_exported: 'warn',
  expired_rows_deleted: 'info',
  partitions_not_created: 'error',
  scheduled_task_failed: 'error',
  email_postponed: 'warn',
  email_failed: 'error',
  outbox_unavailable: 'error',
  redis_unavailable: 'warn',
  redis_available: 'info',
} as const satisfies Record<string, LogEventLevel>;

export type LogEvent = keyof typeof LOG_EVENTS;

/** The event of lines that NestJS logs. */
export const FRAMEWORK_EVENT = 'framework';

/** Members of a log line. The name of a number ends with its unit, such as `duration_ms`. */
export interface LogFields {
  [name: string]: unknown;
  /** The error behind the event. Repeats within a minute are counted and not logged again. */
  error?: unknown;
}

/** Logs events with the application's logger. All log lines of the service come from here. */
export class EventLogger<OwnEvent extends string = never> {
  private readonly logger: Logger;
  private readonly levels: Record<LogEvent | OwnEvent, LogEventLevel>;

  /**
   * @param context the part of the service that logs, such as a class name
   * @param ownEvents events that only this part logs, with their levels
   */
  constructor(context: string, ownEvents = {} as Record<OwnEvent, LogEventLevel>) {
    this.logger = new Logger(context);
    this.levels = { ...LOG_EVENTS, ...ownEvents };
  }

  /** Logs an event at its level. @param message a sentence for the operator */
  log(event: LogEvent | OwnEvent, message: string, fields: LogFields = {}): void {
    const level: LogEventLevel = this.levels[event];
    this.logger[level === 'info' ? 'log' : level](message, { event, ...fields });
  }
}
