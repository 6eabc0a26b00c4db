import type { Request } from 'express';

/**
 * Request headers that scripts of other origins may send, and response headers that they may read.
 */
const PUBLIC_CORS_OPTIONS = {
  origin: '*',
  allowedHeaders: ['Authorization', 'Content-Type', 'If-Match', 'If-None-Match'],
  exposedHeaders: [
    'ETag',
    'Link',
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

/**
 * Returns the CORS options by path. Scripts of all origins may read the resource API, JWKS,
 * UserInfo and the well-known documents. Endpoints that need a client secret, and pages, allow no
 * other origin.
 * @param base the path of `BASE_URL`
 */
export function createCorsOptionsDelegate(base: string) {
  const shared = new RegExp(`^${base}/(?:api/(?!oauth/(?!jwks|userinfo))|\\.well-known/)`, 'i');
  return ({ path }: Request, callback: (error: null, options: object) => void): void =>
    callback(null, shared.test(path) ? PUBLIC_CORS_OPTIONS : { origin: false });
}
