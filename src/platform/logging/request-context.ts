import type { Request } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';

const requestStorage = new AsyncLocalStorage<Request>();

/** Runs a handler in the context of a request, so that `getCurrentRequest` returns it. */
export function runWithRequest(request: Request, answer: () => void): void {
  requestStorage.run(request, answer);
}

/** Returns the request of the current context; undefined in commands and scheduled tasks. */
export function getCurrentRequest(): Request | undefined {
  return requestStorage.getStore();
}

/** Runs work outside the request context, for work that several requests share. */
export function runOutsideRequest<T>(work: () => T): T {
  return requestStorage.exit(work);
}
