import type { Operation } from './describe.js';
import { type HeaderName, headersOf, RATE_HEADERS } from './headers.js';
import { type Answer, PAGE, problemAnswer, type Refusal } from './problems.js';
import { usualRefusals } from './refusals.js';
import { isLimited, type Route } from './route.js';
import { exampleOf, type Schema } from './schema.js';

/** Every answer of an operation, by status. */
export function answersOf(route: Route, operation: Operation): [status: number, answer: Answer][] {
  if (route.kind === 'page') return pageAnswers(route);
  const good: [number, Answer][] = [[route.status, success(route, operation)], ...notModified(route)];
  const refusals = [...usualRefusals(route), ...(operation.refusals ?? [])];
  const statuses = [...new Set(refusals.map(statusOf))].sort((one, other) => one - other);
  return [
    ...good,
    ...statuses.map((status): [number, Answer] => [
      status,
      problemAnswer(
        status,
        refusals.filter((refusal) => statusOf(refusal) === status),
        commonHeaders(route, status),
      ),
    ]),
  ];
}

function success(route: Route, { answer, also = {} }: Operation): Answer {
  const headers = headersOf([...commonHeaders(route), ...successHeaders(route)]);
  if (!answer) return { description: 'Done.', headers };
  const description = route.status === 201 ? 'It was made.' : 'As asked for.';
  return { description, headers, content: contentOf({ 'application/json': answer, ...also }) };
}

function contentOf(schemas: Record<string, Schema>): NonNullable<Answer['content']> {
  const told = ([type, schema]: [string, Schema]): [string, object] => [type, { schema, example: exampleOf(schema) }];
  return Object.fromEntries(Object.entries(schemas).map(told)) as NonNullable<Answer['content']>;
}

function notModified(route: Route): [number, Answer][] {
  if (route.kind !== 'resource' || route.method !== 'GET') return [];
  const headers = headersOf([...commonHeaders(route), 'ETag', 'Cache-Control']);
  return [[304, { description: 'Nothing has changed since.', headers }]];
}

/** The token and revoke endpoints speak of limits only where one is reached. */
function commonHeaders(route: Route, status = route.status): HeaderName[] {
  return ['X-Request-Id', ...(isLimited(route) || status === 429 ? RATE_HEADERS : [])];
}

function successHeaders({ kind, method, status, isPaged }: Route): HeaderName[] {
  if (kind !== 'resource') return ['Cache-Control'];
  if (status === 201) return ['Cache-Control', 'Location'];
  if (method !== 'GET') return ['Cache-Control'];
  return ['Cache-Control', 'ETag', ...(isPaged ? (['Link'] as const) : [])];
}

/** A form is always sent on, so that it can be come back to. */
function pageAnswers({ method }: Route): [number, Answer][] {
  const statuses = method === 'GET' ? [200, 303, 400, 500, 503] : [303, 400, 413, 415, 500, 503];
  return statuses.map((status) => [status, pageAnswer(status)]);
}

/** What pages tell the person. */
const PAGES: Record<number, string> = {
  200: 'A page for the person.',
  400: 'The app or an address is not one that we know, or the request cannot be read.',
  413: 'The form is larger than 64 KiB.',
  415: 'The form is not in UTF-8.',
  500: 'Something went wrong on our side.',
  503: 'The service cannot reach its database.',
};

function pageAnswer(status: number): Answer {
  if (status === 303) {
    return { description: 'Where the person is sent on to.', headers: headersOf(['X-Request-Id', 'Location']) };
  }
  const headers = headersOf(['X-Request-Id', ...(status === 503 ? (['Retry-After'] as const) : [])]);
  return { description: PAGES[status]!, headers, content: contentOf({ 'text/html': PAGE }) };
}

function statusOf(refusal: Refusal): number {
  return 'getStatus' in refusal ? refusal.getStatus() : refusal.status;
}
