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

/** The response headers of the API, by name. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': stringHeader('What to name when you ask us about a call.', '4f6c4c5e-5f0c-4b0e-9d3a-6f1f0d5c2b7a'),
  ETag: stringHeader(
    'What was shown. Sent back in If-None-Match, it is answered 304 while nothing has changed.',
    'W/"9pVvUqZL1y3cVb0T"',
  ),
  'Cache-Control': stringHeader('Who may keep the answer, and for how many seconds.', 'private, no-cache'),
  Link: stringHeader(
    'The next page, with rel="next" (RFC 8288). Not there on the last one.',
    '<https://map.example.org/api/markers?cursor=WzQs>; rel="next"',
  ),
  Location: stringHeader('Where to find it, or to go on to.', '/api/collections/col_01JDEM00000000000000000010'),
  'WWW-Authenticate': stringHeader(
    'What is wrong with the token or the credentials (RFC 6750 §3, RFC 9110 §11.6.1).',
    'Bearer error="invalid_token"',
  ),
  'X-Accepted-OAuth-Scopes': stringHeader('The scope that is missing.', 'edits:write'),
  'Retry-After': integerHeader('Seconds after which to try again.', 2),
  RateLimit: stringHeader(
    'What is left, and seconds until all of it is there again (draft-ietf-httpapi-ratelimit-headers-10).',
    '"reads";r=117;t=42',
  ),
  'RateLimit-Policy': stringHeader(
    'How many calls there are in how many seconds (the same draft).',
    '"reads";q=120;w=60',
  ),
  'X-RateLimit-Limit': integerHeader('How many calls the policy allows.', 120),
  'X-RateLimit-Remaining': integerHeader('How many of them are left.', 117),
  'X-RateLimit-Reset': integerHeader('Seconds until all of them are there again.', 42),
} satisfies Record<string, HeaderObject>;

export type ResponseHeaderName = keyof typeof RESPONSE_HEADERS;

/** The headers of every response that counts against a rate limit. */
export const RATE_LIMIT_HEADERS: ResponseHeaderName[] = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** Returns references to headers, by name. */
export function toHeaderRefs(names: Iterable<ResponseHeaderName>): Record<string, { $ref: string }> {
  return Object.fromEntries([...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
