/** A line of the access log. The names are those of the JSON members. */
export interface AccessLogEntry {
  method: string;
  /** The pattern of the route, such as `/api/markers/:id`; `none` if no route matches. */
  route: string;
  /** The status of the response; 499 if the client disconnected before it. */
  status: number;
  duration_ms: number;
  /** The app that the access token or the client authentication names. */
  client_id: string | null;
  /** The IP address of the client. */
  address: string | null;
  request_id: string;
  /** Only if tracing is on. */
  traceId?: string;
}

let waitingLines = '';

/**
 * Writes a line of the access log: one JSON object on standard output, for each LOG_LEVEL and
 * LOG_FORMAT. The lines of one turn of the event loop are written together.
 */
export function writeAccessLog(entry: AccessLogEntry): void {
  if (waitingLines === '') setImmediate(flushAccessLog);
  const line = { timestamp: Date.now(), level: 'info', event: 'access', pid: process.pid, ...entry };
  waitingLines += `${JSON.stringify(line)}\n`;
}

/** Writes the waiting lines. Call this when the process ends. */
export function flushAccessLog(): void {
  if (waitingLines !== '') process.stdout.write(waitingLines);
  waitingLines = '';
}
