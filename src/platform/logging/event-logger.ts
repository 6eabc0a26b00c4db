import { Logger } from '@nestjs/common';
import { LOG_EVENTS, type LogEvent, type LogEventLevel } from './log-events.js';

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
