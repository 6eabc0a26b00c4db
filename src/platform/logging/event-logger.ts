import { Logger } from '@nestjs/common';
import { LOG_EVENTS, type LogEvent } from './log-events.js';

/** Members of a log line. The name of a number ends with its unit, such as `duration_ms`. */
export interface LogFields {
  [name: string]: unknown;
  /** The error behind the event. Repeats within a minute are counted and not logged again. */
  error?: unknown;
}

/** Logs events with the application's logger. All log lines of the service come from here. */
export class EventLogger {
  private readonly logger: Logger;

  /** @param context the part of the service that logs, such as a class name */
  constructor(context: string) {
    this.logger = new Logger(context);
  }

  /** Logs an event at its level. @param message a sentence for the operator */
  log(event: LogEvent, message: string, fields: LogFields = {}): void {
    const level = LOG_EVENTS[event];
    this.logger[level === 'info' ? 'log' : level](message, { event, ...fields });
  }
}
