import type { CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { Request } from 'express';

/**
 * Request headers that scripts of other origins may send, and response headers that they may read.
 */
const PUBLIC_CORS_OPTIONS: CorsOptions = {
  origin: '*',
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'DPoP',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'Last-Event-ID',
    'Mcp-Protocol-Version',
    'Mcp-Session-Id',
  ],
  exposedHeaders: [
    'ETag',
    'Idempotency-Replayed',
    'Link',
    'Location',
    'Mcp-Session-Id',
    'RateLimit',
    'RateLimit-Policy',
    'Retry-After',
    'WWW-Authenticate',
    'X-Accepted-OAuth-Scopes',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-Request-Id',
  ],
  maxAge: 3600,
};

/** Response headers of the token and revocation endpoints that scripts of an origin may read. */
const CLIENT_EXPOSED_HEADERS = ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'];

/**
 * Response headers that allow a script of an origin to read a response of the token or revocation
 * endpoint.
 */
export function createClientOriginHeaders(origin: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': CLIENT_EXPOSED_HEADERS.join(', '),
  };
}

/** Answers preflight requests to the token and revocation endpoints. */
const CLIENT_PREFLIGHT_OPTIONS: CorsOptions = {
  methods: ['POST'],
  allowedHeaders: ['Content-Type', 'DPoP', 'Idempotency-Key'],
  maxAge: 3600,
};

/**
 * Returns the CORS options by path. Scripts of all origins may read the resource API, the MCP
 * server, JWKS, UserInfo, the public files and the well-known documents. The token and revocation
 * endpoints allow the origins of all public clients while the client is unknown: in a preflight
 * request, and in an error that is sent before the client is identified. `AppRequestGuard` then
 * restricts them to the origins of the client. Pages allow no other origin.
 * @param base the path of `BASE_URL`
 * @param isPublicClientOrigin whether a public client has registered the origin
 */
export function createCorsOptionsDelegate(base: string, isPublicClientOrigin: (origin: string) => Promise<boolean>) {
  const shared = new RegExp(`^${base}/(?:api/(?!oauth/(?!jwks|userinfo))|mcp/?$|export/|\\.well-known/)`, 'i');
  const forClients = new RegExp(`^${base}/api/oauth/(?:token|revoke)/?$`, 'i');
  const getOptions = async ({ path, method, headers: { origin } }: Request): Promise<CorsOptions> => {
    if (shared.test(path)) return PUBLIC_CORS_OPTIONS;
    if (origin === undefined || !forClients.test(path)) return { origin: false };
    if (!(await isPublicClientOrigin(origin))) return { origin: false };
    return method === 'OPTIONS'
      ? { ...CLIENT_PREFLIGHT_OPTIONS, origin }
      : { origin, exposedHeaders: CLIENT_EXPOSED_HEADERS };
  };
  return (request: Request, callback: (error: Error | null, options: CorsOptions) => void): void =>
    void getOptions(request).then(
      (options) => callback(null, options),
      (error: Error) => callback(error, { origin: false }),
    );
}
