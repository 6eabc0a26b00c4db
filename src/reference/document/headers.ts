import type { Schema } from './schema.js';

interface Header {
  description: string;
  schema: Schema;
}

const text = (description: string, example: string): Header => ({
  description,
  schema: { type: 'string', examples: [example] },
});
const whole = (description: string, example: number): Header => ({
  description,
  schema: { type: 'integer', minimum: 0, examples: [example] },
});

/** The headers of answers, each described once. */
export const HEADERS = {
  'X-Request-Id': text('What to name when you ask us about a call.', '4f6c4c5e-5f0c-4b0e-9d3a-6f1f0d5c2b7a'),
  ETag: text(
    'What was shown. Sent back in If-None-Match, it is answered 304 while nothing has changed.',
    'W/"9pVvUqZL1y3cVb0T"',
  ),
  'Cache-Control': text('Who may keep the answer, and for how many seconds.', 'private, no-cache'),
  Link: text(
    'The next page, with rel="next" (RFC 8288). Not there on the last one.',
    '<https://map.example.org/api/markers?cursor=WzQs>; rel="next"',
  ),
  Location: text('Where to find it, or to go on to.', '/api/collections/col_01JDEM00000000000000000010'),
  'WWW-Authenticate': text(
    'What is wrong with the token or the credentials (RFC 6750 §3, RFC 9110 §11.6.1).',
    'Bearer error="invalid_token"',
  ),
  'X-Accepted-OAuth-Scopes': text('The scope that is missing.', 'edits:write'),
  'Retry-After': whole('Seconds after which to try again.', 2),
  RateLimit: text(
    'What is left, and seconds until all of it is there again (draft-ietf-httpapi-ratelimit-headers-10).',
    '"reads";r=117;t=42',
  ),
  'RateLimit-Policy': text('How many calls there are in how many seconds (the same draft).', '"reads";q=120;w=60'),
  'X-RateLimit-Limit': whole('How many calls the policy allows.', 120),
  'X-RateLimit-Remaining': whole('How many of them are left.', 117),
  'X-RateLimit-Reset': whole('Seconds until all of them are there again.', 42),
} satisfies Record<string, Header>;

export type HeaderName = keyof typeof HEADERS;

/** The headers of every answer that is counted against a limit. */
export const RATE_HEADERS: HeaderName[] = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** What stands for the headers in an answer. */
export function headersOf(names: Iterable<HeaderName>): Record<string, { $ref: string }> {
  return Object.fromEntries([...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
