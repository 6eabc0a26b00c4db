import type { JsonSchema, SchemaSource } from '../../platform/openapi/json-schema.js';
import type { ComponentSchemas } from './dto-schemas.js';
import { buildErrorExamples, buildErrorSchema, type DocumentedError, listErrors } from './errors.js';
import { isRateLimited, type Operation } from './operation.js';
import { RATE_LIMIT_HEADERS, type ResponseHeaderName, toHeaderRefs } from './response-headers.js';

/** An OpenAPI Response Object. */
export interface ResponseObject {
  description: string;
  headers: Record<string, { $ref: string }>;
  content?: Record<string, { schema: JsonSchema; example?: unknown; examples?: Record<string, unknown> }>;
}

const HTML_PAGE: JsonSchema = {
  componentName: 'HtmlPage',
  type: 'string',
  description: 'A page for the person, in the language of their browser.',
  examples: ['<!doctype html>…'],
};

/** The meaning of each error status. The body says which error it is. */
const ERROR_DESCRIPTIONS: Record<number, string> = {
  400: 'The request is not as it should be.',
  401: 'The token, or the credentials of the app, are missing or no good.',
  403: 'The app lacks the scope, or the person may not do this.',
  404: 'There is none, or none that the caller may know of.',
  409: 'Something is not in the state that this needs.',
  410: 'It was deleted.',
  412: 'It is at another version by now.',
  413: 'The body is larger than 64 KiB.',
  415: 'The body is not JSON in UTF-8.',
  422: 'A rule of the map stands against it.',
  429: 'Too many calls. Try again after `Retry-After`.',
  500: 'Something went wrong on our side.',
  503: 'The service cannot reach its database. Try again after `Retry-After`.',
};

/** The meaning of each status of a page. */
const PAGE_DESCRIPTIONS: Record<number, string> = {
  200: 'A page for the person.',
  400: 'The app or an address is not one that we know, or the request cannot be read.',
  413: 'The form is larger than 64 KiB.',
  415: 'The form is not in UTF-8.',
  500: 'Something went wrong on our side.',
  503: 'The service cannot reach its database.',
};

/** Builds every response of an operation, by status. */
export function buildResponses(operation: Operation, schemas: ComponentSchemas): Record<string, ResponseObject> {
  if (operation.api.kind === 'page') return buildPageResponses(operation, schemas);
  const errors = listErrors(operation);
  const statuses = [...new Set(errors.map(({ status }) => status))].sort((one, other) => one - other);
  return {
    [getSuccessStatus(operation)]: buildSuccessResponse(operation, schemas),
    ...buildNotModifiedResponse(operation),
    ...Object.fromEntries(
      statuses.map((status) => {
        const ofStatus = errors.filter((error) => error.status === status);
        return [status, buildErrorResponse(operation, status, ofStatus, schemas)];
      }),
    ),
  };
}

function getSuccessStatus({ description: { status, response } }: Operation): number {
  return status ?? (response ? 200 : 204);
}

function buildSuccessResponse(operation: Operation, schemas: ComponentSchemas): ResponseObject {
  const { response, alternativeContent = {} } = operation.description;
  const headers = toHeaderRefs([...getCommonHeaders(operation), ...getSuccessHeaders(operation)]);
  if (!response) return { description: 'Done.', headers };
  return {
    description: getSuccessStatus(operation) === 201 ? 'It was made.' : 'As asked for.',
    headers,
    content: buildContent({ 'application/json': response, ...alternativeContent }, schemas),
  };
}

function buildContent(sources: Record<string, SchemaSource>, schemas: ComponentSchemas): ResponseObject['content'] {
  return Object.fromEntries(
    Object.entries(sources).map(([mediaType, source]) => {
      const schema = schemas.resolve(source);
      return [mediaType, { schema, example: schemas.buildExample(schema) }];
    }),
  );
}

function buildNotModifiedResponse(operation: Operation): Record<string, ResponseObject> {
  if (operation.api.kind !== 'resource' || operation.route.method !== 'GET') return {};
  const headers = toHeaderRefs([...getCommonHeaders(operation), 'ETag', 'Cache-Control']);
  return { 304: { description: 'Nothing has changed since.', headers } };
}

function buildErrorResponse(
  operation: Operation,
  status: number,
  errors: DocumentedError[],
  schemas: ComponentSchemas,
): ResponseObject {
  const bodies = errors.map(({ body }) => body);
  const headers = errors.flatMap((error) => Object.keys(error.headers) as ResponseHeaderName[]);
  return {
    description: ERROR_DESCRIPTIONS[status]!,
    headers: toHeaderRefs([...getCommonHeaders(operation, status), ...headers]),
    content: {
      'application/json': { schema: schemas.resolve(buildErrorSchema(bodies)), examples: buildErrorExamples(bodies) },
    },
  };
}

/** The OAuth endpoints send the headers of a limit only with 429. */
function getCommonHeaders(operation: Operation, status?: number): ResponseHeaderName[] {
  return ['X-Request-Id', ...(isRateLimited(operation) || status === 429 ? RATE_LIMIT_HEADERS : [])];
}

function getSuccessHeaders(operation: Operation): ResponseHeaderName[] {
  const { api, route, isPaginated } = operation;
  if (api.kind !== 'resource') return ['Cache-Control'];
  if (getSuccessStatus(operation) === 201) return ['Cache-Control', 'Location'];
  if (route.method !== 'GET') return ['Cache-Control'];
  return ['Cache-Control', 'ETag', ...(isPaginated ? (['Link'] as const) : [])];
}

/** A POST redirects to the same page by GET. */
function buildPageResponses({ route }: Operation, schemas: ComponentSchemas): Record<string, ResponseObject> {
  const statuses = route.method === 'GET' ? [200, 303, 400, 500, 503] : [303, 400, 413, 415, 500, 503];
  return Object.fromEntries(statuses.map((status) => [status, buildPageResponse(status, schemas)]));
}

function buildPageResponse(status: number, schemas: ComponentSchemas): ResponseObject {
  if (status === 303) {
    return { description: 'Where the person is sent on to.', headers: toHeaderRefs(['X-Request-Id', 'Location']) };
  }
  const headers = toHeaderRefs(['X-Request-Id', ...(status === 503 ? (['Retry-After'] as const) : [])]);
  return {
    description: PAGE_DESCRIPTIONS[status]!,
    headers,
    content: buildContent({ 'text/html': HTML_PAGE }, schemas),
  };
}
