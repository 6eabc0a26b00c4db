import type { RequestTracer } from './request-tracer.js';

let tracer: RequestTracer | undefined;

/** Returns the tracer of this process; undefined if tracing is off. */
export function getTracer(): RequestTracer | undefined {
  return tracer;
}

/**
 * Starts tracing. Only this function loads the modules of OpenTelemetry, which take memory and time
 * at the start.
 * @param onError receives each failure of the export
 */
export async function startTracing(onError: (error: unknown) => void): Promise<void> {
  const { RequestTracer } = await import('./request-tracer.js');
  tracer = RequestTracer.start(onError);
}
