import { randomBytes } from 'node:crypto';
import type { ReceivedSpan } from './otlp-receiver.js';

/** The span of the caller in `createTrace`. */
export const CALLER_SPAN_ID = '00f067aa0ba902b7';

const [SERVER, CLIENT] = [2, 3];

/** Creates a trace as a caller starts it. @param flags `01` if the caller samples it, or `00` */
export function createTrace(flags = '01'): { traceId: string; headers: { traceparent: string } } {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, headers: { traceparent: `00-${traceId}-${CALLER_SPAN_ID}-${flags}` } };
}

/** Returns the span of the request. */
export function findServerSpan(spans: ReceivedSpan[]): ReceivedSpan {
  return spans.find(({ kind }) => kind === SERVER)!;
}

/** Returns the spans of the database statements. */
export function findStatements(spans: ReceivedSpan[]): ReceivedSpan[] {
  return spans.filter(({ kind }) => kind === CLIENT);
}
