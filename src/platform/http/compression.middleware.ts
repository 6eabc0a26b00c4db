import compression from 'compression';
import type { Request, RequestHandler, Response } from 'express';
import { constants } from 'node:zlib';

/** Bytes from which a response is compressed. */
const MIN_BYTES = 1024;

/**
 * Levels of compression. For a page of 100 markers (65 KB), each takes about 0.5 ms of a CPU and
 * leaves 20 % of the bytes; the highest levels save 2 % more and take twice the time or longer.
 */
const GZIP_LEVEL = 4;
const BROTLI_QUALITY = 4;

/**
 * Returns the middleware that compresses responses with Brotli or gzip. A request without
 * `Accept-Encoding` passes by: the preparation takes as long as a small read.
 */
export function createCompressionMiddleware(): RequestHandler {
  const compress = compression({
    threshold: MIN_BYTES,
    level: GZIP_LEVEL,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    filter: isCompressible,
  });
  return (request, response, next) =>
    request.headers['accept-encoding'] === undefined ? next() : compress(request, response, next);
}

/**
 * Whether the type of a response can be compressed. A response with `no-store` is not compressed:
 * it can contain a secret beside input of the request, and its compressed size would disclose
 * whether they are similar (BREACH). A 304 has no type, and needs the `Vary` of its 200.
 */
function isCompressible(request: Request, response: Response): boolean {
  if (String(response.getHeader('Cache-Control')).includes('no-store')) return false;
  return response.statusCode === 304 || compression.filter(request, response);
}
