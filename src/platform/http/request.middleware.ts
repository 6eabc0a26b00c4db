import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { runWithRequest, type TracedRequest } from '../logging/request-context.js';
import { getTracer } from '../tracing/tracing.js';
import { randomUUID } from 'node:crypto';
import { redactSecrets } from '../logging/redact-secrets.js';
import type { Settings } from '../config/settings.js';
import { writeAccessLog } from '../logging/access-log.js';
import { EventLogger } from '../logging/event-logger.js';
import type { MetricsService } from '../metrics/metrics.service.js';
import type { AuthenticatedRequest } from './authenticated-request.js';
import { getClientIp } from './client-address.js';

/** The documents whose standards insert the well-known path before the path of their URL. */
const METADATA_PATHS = ['/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource'];

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
 * Returns the middleware that warns once if a proxy forwards requests while `TRUST_PROXY` is not
 * set. Then all clients have the address of the proxy, and share its limits.
 */
export function createProxyWarningMiddleware(): RequestHandler {
  const logger = new EventLogger('Http');
  let isLogged = false;
  return ({ headers }: Request, _: Response, next: NextFunction) => {
    if (!isLogged && headers['x-forwarded-for'] !== undefined) {
      isLogged = true;
      logger.log(
        'setting_doubtful',
        'A request has X-Forwarded-For, but TRUST_PROXY is not set. Set it to the number of proxies, or to false.',
      );
    }
    next();
  };
}

/**
 * Returns the middleware for an issuer with a path. RFC 8414 §3.1 and RFC 9728 §3.1
 * insert the well-known path before the path; all routes of the service have the path of the issuer
 * first.
 */
export function createIssuerMetadataMiddleware(basePath: string): RequestHandler {
  return (request: Request, _: Response, next: NextFunction) => {
    const path = METADATA_PATHS.find((known) => `${request.path}/`.startsWith(`${known}${basePath}/`));
    if (path !== undefined) request.url = basePath + path + request.url.slice(path.length + basePath.length);
    next();
  };
}

/** The ids that the service accepts from a proxy. */
const REQUEST_ID = /^[\w.:@+/=-]{1,128}$/;

/** Sets `X-Request-Id` of the response: the id that a trusted proxy sent, or a new one. */
export function assignRequestId(request: Request, response: Response): void {
  response.setHeader('X-Request-Id', getForwardedId(request) ?? randomUUID());
}

/** Returns the id that `assignRequestId` set. */
export function getRequestId(response: Response): string {
  return response.getHeader('X-Request-Id') as string;
}

/** An id that looks like a secret is ignored, because ids are logged. */
function getForwardedId({ headers, app, socket }: Request): string | undefined {
  const id = headers['x-request-id'];
  if (typeof id !== 'string' || !REQUEST_ID.test(id) || redactSecrets(id) !== id) return undefined;
  const isTrusted = app.get('trust proxy fn') as (address: string | undefined, hop: number) => boolean;
  return isTrusted(socket.remoteAddress, 0) ? id : undefined;
}

/**
 * Returns a function that measures a request. After the response, it writes a line of the access
 * log if ACCESS_LOG is on, and logs the request with LOG_LEVEL=debug. It records the route instead
 * of the URL.
 */
export function createRequestObserver(
  { requestDuration }: MetricsService,
  { LOG_LEVEL, ACCESS_LOG }: Settings,
): (request: AuthenticatedRequest & TracedRequest, response: Response) => void {
  const logger = new EventLogger('Http');
  return (request, response) => {
    const startedAt = performance.now();
    // read at the start: a closed socket has no address
    const address = ACCESS_LOG === 'on' ? getClientIp(request) : null;
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const route = (request.route as { path?: string } | undefined)?.path ?? 'none';
      const { method } = request;
      // A client that disconnected got no response; nginx uses 499 for this too.
      const status = response.writableFinished ? response.statusCode : 499;
      requestDuration.observe({ method, route, status }, seconds);
      const fields = { method, route, status, duration_ms: Number((seconds * 1000).toFixed(1)) };
      if (ACCESS_LOG === 'on') {
        const { clientId: client_id = null, traceId } = request;
        const ids = { request_id: getRequestId(response), ...(traceId !== undefined && { traceId }) };
        writeAccessLog({ ...fields, client_id, address, ...ids });
      }
      if (LOG_LEVEL === 'debug') logger.log('request', 'A request was handled.', fields);
    });
  };
}
