import { type NestApplicationOptions, NotFoundException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { AppModule } from './app.module.js';
import { findResource } from './identity/scopes/resources.js';
import { RouteRegistryService } from './identity/scopes/route-registry.service.js';
import { PublicClientOriginsService } from './identity/oauth/public-client-origins.service.js';
import type { Settings } from './platform/config/settings.js';
import { createCompressionMiddleware } from './platform/http/compression.middleware.js';
import { createCorsOptionsDelegate } from './platform/http/cors-options.js';
import { GracefulExpressAdapter } from './platform/http/graceful-express.adapter.js';
import { createMethodMiddleware } from './platform/http/method-not-allowed.js';
import {
  createIssuerMetadataMiddleware,
  createProxyWarningMiddleware,
  createRequestMiddleware,
  createRequestObserver,
} from './platform/http/request.middleware.js';
import { MetricsService } from './platform/metrics/metrics.service.js';

/**
 * Options of the application. Interceptors read bodies after the guards. The start fails if two
 * handlers have the same route. The logger is off until the service listens, because the process
 * prints the error that ends its start.
 */
export const APP_OPTIONS = {
  bodyParser: false,
  logger: false,
  abortOnError: false,
  routeConflictPolicy: { duplicate: 'error' },
} satisfies NestApplicationOptions;

/** The paths of the MCP server, which do not exist if it is off. */
const MCP_PATHS = ['/mcp', '/.well-known/oauth-protected-resource/mcp'];

/** The path of the public files, which do not exist if they are off. */
const PUBLIC_EXPORT_PATH = '/export';

/** Creates the application with its middleware. It is not initialized yet. */
export async function createApp(settings: Settings): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule, new GracefulExpressAdapter(), APP_OPTIONS);
  configureApp(app, settings);
  return app;
}

/** Configures Express, middleware and security headers, for the service and for tests. */
export function configureApp(app: NestExpressApplication, settings: Settings): void {
  const { basePath } = settings;
  if (basePath) app.setGlobalPrefix(basePath);
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  if (settings.TRUST_PROXY) app.set('trust proxy', parseTrustProxy(settings.TRUST_PROXY));
  app.use(createRequestMiddleware(createRequestObserver(app.get(MetricsService), settings)));
  if (settings.isProduction && settings.TRUST_PROXY === undefined) app.use(createProxyWarningMiddleware());
  if (settings.COMPRESSION === 'on') app.use(createCompressionMiddleware());
  if (basePath) app.use(createIssuerMetadataMiddleware(basePath));
  configureBrowserSecurity(app, settings);
  const missingPaths = [
    ...(settings.MCP === 'off' ? MCP_PATHS : []),
    ...(settings.PUBLIC_EXPORT === 'off' ? [PUBLIC_EXPORT_PATH] : []),
  ];
  if (missingPaths.length > 0)
    app.use(
      missingPaths.map((path) => basePath + path),
      rejectUnknownPath,
    );
  const routes = app.get(RouteRegistryService);
  app.use(
    basePath || '/',
    createMethodMiddleware((path) => routes.findMethods(path)),
  );
  app.enableShutdownHooks(undefined, { useProcessExit: true });
}

function rejectUnknownPath(_request: Request, _response: Response, next: NextFunction): void {
  next(new NotFoundException());
}

function configureBrowserSecurity(app: NestExpressApplication, settings: Settings): void {
  const { basePath, isHttps, BASE_URL } = settings;
  // Pages set some of these headers themselves. Browsers ignore or no longer need the others that
  // are off.
  app.useSecurityHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: "'none'", frameAncestors: "'none'" },
    },
    strictTransportSecurity: isHttps,
    xFrameOptions: false,
    // Apps may open the authorization endpoint in a popup window and wait for its redirect.
    crossOriginOpenerPolicy: false,
    referrerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  // API calls use access tokens, which browsers do not send automatically; pages use cookies.
  const isApi = ({ path }: Request): boolean => findResource(settings, path) !== undefined;
  app.enableCsrfProtection({ trustedOrigins: [new URL(BASE_URL).origin], exclude: isApi });
  const clientOrigins = app.get(PublicClientOriginsService);
  app.enableCors(createCorsOptionsDelegate(basePath, (origin) => clientOrigins.has(origin)));
}

/**
 * Converts `TRUST_PROXY` to Express's setting: a number of hops, a boolean, or a list of addresses.
 */
function parseTrustProxy(setting: string): number | boolean | string {
  if (/^\d+$/.test(setting)) return Number(setting);
  return setting === 'true' || setting === 'false' ? setting === 'true' : setting;
}
