import type { Request } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';

const requests = new AsyncLocalStorage<Request>();

/** Runs what answers a request, so that all that it calls can ask which request it is for. */
export function within(request: Request, answer: () => void): void {
  requests.run(request, answer);
}

/** The request that is being answered; none in a command, nor in what the service does by itself. */
export function currentRequest(): Request | undefined {
  return requests.getStore();
}

/** Runs what is for no request in particular, though one gave rise to it. */
export function outsideOfRequests<T>(work: () => T): T {
  return requests.exit(work);
}
