/** Levels of log events, as in `LOG_LEVEL`. */
export type LogEventLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * The events that every part of the service can log, with their levels. The modules declare their
 * own events where they create their `EventLogger`. docs/operations.md explains each one.
 */
export const LOG_EVENTS = {
  server_started: 'info',
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
  email_dropped: 'warn',
  email_postponed: 'warn',
  email_failed: 'error',
  outbox_unavailable: 'error',
  redis_unavailable: 'warn',
  redis_available: 'info',
} as const satisfies Record<string, LogEventLevel>;

export type LogEvent = keyof typeof LOG_EVENTS;

/** The event of lines that NestJS logs. */
export const FRAMEWORK_EVENT = 'framework';
