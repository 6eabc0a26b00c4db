import type { Request } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';

/** A request with the id of its trace, if tracing is on. */
export interface TracedRequest extends Request {
  traceId?: string;
}

const requestStorage = new AsyncLocalStorage<TracedRequest | undefined>();

/**
 * Runs work in the context of a request, so that `getCurrentRequest` returns it; without a request,
 * outside the context.
 */
export function runWithRequest<T>(request: Request | undefined, work: () => T): T {
  return requestStorage.run(request, work);
}

/** Returns the request of the current context; undefined in commands and scheduled tasks. */
export function getCurrentRequest(): TracedRequest | undefined {
  return requestStorage.getStore();
}

/** Runs work outside the request context, for work that several requests share. */
export function runOutsideRequest<T>(work: () => T): T {
  return requestStorage.exit(work);
}
