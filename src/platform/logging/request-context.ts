import type { Request } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';

const requestStorage = new AsyncLocalStorage<Request>();

/** Runs what answers a request, so that all that it calls can ask which request it is for. */
export function runWithRequest(request: Request, answer: () => void): void {
  requestStorage.run(request, answer);
}

/** The request that is being answered; none in a command, nor in what the service does by itself. */
export function getCurrentRequest(): Request | undefined {
  return requestStorage.getStore();
}

/** Runs what is for no request in particular, though one gave rise to it. */
export function runOutsideRequest<T>(work: () => T): T {
  return requestStorage.exit(work);
}
