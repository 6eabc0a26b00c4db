import type { OperationDescription } from './describe-operations.js';
import { type ResponseHeaderName, toHeaderRefs, RATE_LIMIT_HEADERS } from './response-headers.js';
import { type ResponseObject, HTML_PAGE, buildErrorResponse, type DocumentedError } from './error-responses.js';
import { getStandardErrors } from './standard-errors.js';
import { isRateLimited, type RouteMetadata } from './route-metadata.js';
import { buildExample, type JsonSchema } from './json-schema.js';

/** Every answer of an operation, by status. */
export function buildResponses(
  route: RouteMetadata,
  operation: OperationDescription,
): [status: number, answer: ResponseObject][] {
  if (route.kind === 'page') return buildPageResponses(route);
  const good: [number, ResponseObject][] = [
    [route.status, buildSuccessResponse(route, operation)],
    ...buildNotModifiedResponse(route),
  ];
  const refusals = [...getStandardErrors(route), ...(operation.errors ?? [])];
  const statuses = [...new Set(refusals.map(getStatus))].sort((one, other) => one - other);
  return [
    ...good,
    ...statuses.map((status): [number, ResponseObject] => [
      status,
      buildErrorResponse(
        status,
        refusals.filter((refusal) => getStatus(refusal) === status),
        getCommonHeaders(route, status),
      ),
    ]),
  ];
}

function buildSuccessResponse(
  route: RouteMetadata,
  { response, alternativeContent = {} }: OperationDescription,
): ResponseObject {
  const headers = toHeaderRefs([...getCommonHeaders(route), ...getSuccessHeaders(route)]);
  if (!response) return { description: 'Done.', headers };
  const description = route.status === 201 ? 'It was made.' : 'As asked for.';
  return { description, headers, content: toContent({ 'application/json': response, ...alternativeContent }) };
}

function toContent(schemas: Record<string, JsonSchema>): NonNullable<ResponseObject['content']> {
  const told = ([type, schema]: [string, JsonSchema]): [string, object] => [
    type,
    { schema, example: buildExample(schema) },
  ];
  return Object.fromEntries(Object.entries(schemas).map(told)) as NonNullable<ResponseObject['content']>;
}

function buildNotModifiedResponse(route: RouteMetadata): [number, ResponseObject][] {
  if (route.kind !== 'resource' || route.method !== 'GET') return [];
  const headers = toHeaderRefs([...getCommonHeaders(route), 'ETag', 'Cache-Control']);
  return [[304, { description: 'Nothing has changed since.', headers }]];
}

/** The token and revoke endpoints speak of limits only where one is reached. */
function getCommonHeaders(route: RouteMetadata, status = route.status): ResponseHeaderName[] {
  return ['X-Request-Id', ...(isRateLimited(route) || status === 429 ? RATE_LIMIT_HEADERS : [])];
}

function getSuccessHeaders({ kind, method, status, isPaginated }: RouteMetadata): ResponseHeaderName[] {
  if (kind !== 'resource') return ['Cache-Control'];
  if (status === 201) return ['Cache-Control', 'Location'];
  if (method !== 'GET') return ['Cache-Control'];
  return ['Cache-Control', 'ETag', ...(isPaginated ? (['Link'] as const) : [])];
}

/** A form is always sent on, so that it can be come back to. */
function buildPageResponses({ method }: RouteMetadata): [number, ResponseObject][] {
  const statuses = method === 'GET' ? [200, 303, 400, 500, 503] : [303, 400, 413, 415, 500, 503];
  return statuses.map((status) => [status, buildPageResponse(status)]);
}

/** What pages tell the person. */
const PAGE_DESCRIPTIONS: Record<number, string> = {
  200: 'A page for the person.',
  400: 'The app or an address is not one that we know, or the request cannot be read.',
  413: 'The form is larger than 64 KiB.',
  415: 'The form is not in UTF-8.',
  500: 'Something went wrong on our side.',
  503: 'The service cannot reach its database.',
};

function buildPageResponse(status: number): ResponseObject {
  if (status === 303) {
    return { description: 'Where the person is sent on to.', headers: toHeaderRefs(['X-Request-Id', 'Location']) };
  }
  const headers = toHeaderRefs(['X-Request-Id', ...(status === 503 ? (['Retry-After'] as const) : [])]);
  return { description: PAGE_DESCRIPTIONS[status]!, headers, content: toContent({ 'text/html': HTML_PAGE }) };
}

function getStatus(refusal: DocumentedError): number {
  return 'getStatus' in refusal ? refusal.getStatus() : refusal.status;
}
