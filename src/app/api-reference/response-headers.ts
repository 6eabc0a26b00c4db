import type { Settings } from '../../platform/config/settings.js';
import type { JsonSchema } from '../../platform/openapi/json-schema.js';

interface HeaderObject {
  description: string;
  schema: JsonSchema;
}

const stringHeader = (description: string, example: string): HeaderObject => ({
  description,
  schema: { type: 'string', examples: [example] },
});
const integerHeader = (description: string, example: number): HeaderObject => ({
  description,
  schema: { type: 'integer', minimum: 0, examples: [example] },
});

const HEADERS = {
  'X-Request-Id': stringHeader(
    'Id of the request. Include it when you report a problem.',
    '4f6c4c5e-5f0c-4b0e-9d3a-6f1f0d5c2b7a',
  ),
  ETag: stringHeader(
    'Version of the response. Send it in `If-None-Match`; if nothing changed, the status is 304.',
    'W/"9pVvUqZL1y3cVb0T"',
  ),
  'Cache-Control': stringHeader('Which caches may store the response, and for how many seconds.', 'private, no-cache'),
  Link: stringHeader(
    'Address of the next page, with `rel="next"` (RFC 8288). The last page does not have it.',
    '<https://map.example.org/api/markers?cursor=WzQs>; rel="next"',
  ),
  Location: stringHeader(
    'Address of the new resource, or of the redirect.',
    '/api/collections/col_01JDEM00000000000000000010',
  ),
  'Idempotency-Replayed': stringHeader(
    '`true` if the response repeats that of an earlier request with the same `Idempotency-Key`.',
    'true',
  ),
  'WWW-Authenticate': stringHeader(
    'Authentication scheme, the error of the token or the credentials (RFC 6750 §3), and the address of the resource ' +
      'metadata (RFC 9728 §5.1).',
    'Bearer error="invalid_token", resource_metadata="https://map.example.org/.well-known/oauth-protected-resource/api"',
  ),
  'X-Accepted-OAuth-Scopes': stringHeader(
    'Scope that the operation requires and the token does not have.',
    'edits:write',
  ),
  'Retry-After': integerHeader('Seconds to wait before the next attempt.', 2),
};

/** The headers of every response that counts against a rate limit. */
export const RATE_LIMIT_HEADERS = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

export type ResponseHeaderName = keyof typeof HEADERS | (typeof RATE_LIMIT_HEADERS)[number];

/** Returns the response headers of the API, by name. The examples have the limit of reads. */
export function buildResponseHeaders({
  API_READ_LIMIT: limit,
  licenseLink,
}: Settings): Record<ResponseHeaderName, HeaderObject> {
  const remaining = limit - 1;
  const { Link } = HEADERS;
  return {
    ...HEADERS,
    ...(licenseLink !== undefined && {
      Link: stringHeader(`${Link.description} And the license of the data, with \`rel="license"\`.`, licenseLink),
    }),
    RateLimit: stringHeader(
      'Remaining requests (`r`), and seconds until the window resets (`t`); draft-ietf-httpapi-ratelimit-headers-10.',
      `"reads";r=${remaining};t=42`,
    ),
    'RateLimit-Policy': stringHeader(
      'Quota of requests (`q`) in a window of seconds (`w`); draft-ietf-httpapi-ratelimit-headers-10.',
      `"reads";q=${limit};w=60`,
    ),
    'X-RateLimit-Limit': integerHeader('Maximum number of requests in the window.', limit),
    'X-RateLimit-Remaining': integerHeader('Number of remaining requests in the window.', remaining),
    'X-RateLimit-Reset': integerHeader('Seconds until the window resets.', 42),
  };
}

/** Returns references to headers, by name. */
export function toHeaderRefs(names: Iterable<ResponseHeaderName>): Record<string, { $ref: string }> {
  return Object.fromEntries([...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
