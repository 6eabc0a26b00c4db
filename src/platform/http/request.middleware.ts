import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { runWithRequest } from '../logging/request-context.js';
import { getTracer } from '../tracing/tracing.js';
import { assignRequestId } from './request-id.js';

const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server';

/**
 * Returns the middleware that runs before all others. It assigns `X-Request-Id`, starts the span of
 * the request and binds the request to the asynchronous context for logs. It also reduces an
 * absolute request target (RFC 9112 §3.2.2) to its path, because links come from `BASE_URL`.
 * @param observe measures the request
 */
export function createRequestMiddleware(observe: (request: Request, response: Response) => void): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    assignRequestId(request, response);
    if (!request.url.startsWith('/')) request.url = request.url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*\/?/i, '/');
    request.originalUrl = request.url;
    getTracer()?.startRequest(request, response);
    observe(request, response);
    runWithRequest(request, next);
  };
}

/**
 * Returns the middleware for an issuer with a path. RFC 8414 §3.1 inserts the well-known path
 * before the path of the issuer; all routes of the service have the path of the issuer first.
 */
export function createIssuerMetadataMiddleware(basePath: string): RequestHandler {
  return (request: Request, _: Response, next: NextFunction) => {
    if (request.path === SERVER_METADATA_PATH + basePath) request.url = basePath + SERVER_METADATA_PATH;
    next();
  };
}
