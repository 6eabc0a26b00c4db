import type { Request } from 'express';

/** What other origins may send with a call, and read of its answer. */
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
 * Which answers scripts of other origins may read (CORS): the API and what tells of us, which need a token or nothing; not
 * the endpoints that need an app's secret, which belongs in no browser, and no pages.
 * @param base the path of `BASE_URL`
 */
export function createCorsOptionsDelegate(base: string) {
  const shared = new RegExp(`^${base}/(?:api/(?!oauth/(?!jwks|userinfo))|\\.well-known/)`, 'i');
  return ({ path }: Request, answer: (error: null, options: object) => void): void =>
    answer(null, shared.test(path) ? PUBLIC_CORS_OPTIONS : { origin: false });
}
