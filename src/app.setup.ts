import type { NestApplicationOptions } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import type { Settings } from './platform/config/settings.js';
import { createCorsOptionsDelegate } from './platform/http/cors-options.js';
import { runWithRequest } from './platform/logging/request-context.js';
import { MetricsService } from './platform/metrics/metrics.service.js';
import { createRequestObserver } from './platform/metrics/request-observer.js';

/**
 * How the application is created: bodies are read after the guards, and two routes at one address stop the start. Until it
 * listens, nothing is logged; what stops the start is said once, by whoever starts it.
 */
export const APP_OPTIONS = {
  bodyParser: false,
  logger: false,
  abortOnError: false,
  routeConflictPolicy: { duplicate: 'error' },
} satisfies NestApplicationOptions;

const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server';

/** What the service and the tests share, past what the modules say. */
export function configureApp(app: NestExpressApplication, settings: Settings): void {
  if (settings.basePath) app.setGlobalPrefix(settings.basePath);
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  if (settings.TRUST_PROXY) app.set('trust proxy', parseTrustProxy(settings.TRUST_PROXY));
  const observe = createRequestObserver(app.get(MetricsService), settings);
  app.use((request: Request, response: Response, next: NextFunction) => {
    response.setHeader('X-Request-Id', randomUUID());
    // A request may name a whole address (RFC 9112 §3.2.2); whom it takes us for is not for it to say.
    if (!request.url.startsWith('/')) request.url = request.url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*\/?/i, '/');
    request.originalUrl = request.url;
    observe(request, response);
    runWithRequest(request, next);
  });
  if (settings.basePath) {
    app.use((request: Request, _: Response, next: NextFunction) => {
      // RFC 8414 §3.1 puts the path of an issuer behind this one; here all else is below it.
      if (request.path === SERVER_METADATA_PATH + settings.basePath)
        request.url = settings.basePath + SERVER_METADATA_PATH;
      next();
    });
  }
  app.useSecurityHeaders({
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
    strictTransportSecurity: settings.isHttps,
    xFrameOptions: { action: 'deny' },
    // Apps may open the authorization endpoint in a window of their own, and wait for it to come back to them.
    crossOriginOpenerPolicy: false,
    // With none at all, browsers send forms of our own without an Origin to know them by.
    referrerPolicy: { policy: 'same-origin' },
  });
  const isApi = ({ path }: Request): boolean => path.startsWith(`${settings.basePath}/api/`);
  // The API takes tokens, which no browser sends by itself; pages take cookies.
  app.enableCsrfProtection({ trustedOrigins: [new URL(settings.BASE_URL).origin], exclude: isApi });
  app.enableCors(createCorsOptionsDelegate(settings.basePath));
  app.enableShutdownHooks(undefined, { useProcessExit: true });
}

/** Express takes a number of hops, a boolean, or a list of addresses. */
function parseTrustProxy(setting: string): number | boolean | string {
  if (/^\d+$/.test(setting)) return Number(setting);
  return setting === 'true' || setting === 'false' ? setting === 'true' : setting;
}
