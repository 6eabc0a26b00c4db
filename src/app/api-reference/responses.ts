import { isDeepStrictEqual } from 'node:util';
import { getApiSchema } from '../../platform/openapi/api-schema.decorator.js';
import type { JsonSchema } from '../../platform/openapi/json-schema.js';
import { isLicensed } from '../../platform/http/api-request.interceptor.js';
import { getSelectedDto } from '../../platform/validation/response-fields.js';
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
  description: 'An HTML page for the person, in the language of the browser.',
  examples: ['<!doctype html>…'],
};

const PARTIAL = 'The request succeeded. The records have only the members that `fields` names.';

/** The meaning of each error status. The body says which error it is. */
const ERROR_DESCRIPTIONS: Record<number, string> = {
  400: 'The request is not valid: a parameter, a member of the body, the path or the cursor.',
  401: 'The access token, or the client authentication, is missing or not valid.',
  403: 'The app does not have the scope, or the person does not have the permission.',
  404: 'The resource does not exist, or the caller cannot read it.',
  409: 'The state of the resource does not allow the request.',
  410: 'The resource was deleted.',
  412: 'The version of the resource does not match `If-Match`.',
  413: 'The body is larger than 64 KiB.',
  415: 'The body is not JSON in UTF-8.',
  422: 'A rule of the map does not allow the request.',
  429: 'Too many requests. Try again after the seconds in `Retry-After`.',
  500: 'The service has an internal error.',
  503: 'The service cannot reach its database. Try again after the seconds in `Retry-After`.',
};

/** The meaning of each status of a page. */
const PAGE_DESCRIPTIONS: Record<number, string> = {
  200: 'An HTML page for the person.',
  400: 'An error page: the app or a redirect URI is unknown, or the request is not readable.',
  413: 'An error page: the form is larger than 64 KiB.',
  415: 'An error page: the form is not in UTF-8.',
  500: 'An error page: the service has an internal error.',
  503: 'An error page: the service cannot reach its database.',
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

/** Another response of an operation, which a parameter requests. */
export interface AlternativeResponse {
  /** The member of the operation that refers to the response. */
  extension: 'x-geojson' | 'x-fields';
  /** The name of the response among the components. */
  name: string;
  response: ResponseObject;
}

/**
 * Builds the responses with `format=geojson` and with `fields`. They are apart from the other
 * responses, so that a generated client needs no type guard to tell which one it has.
 */
export function buildAlternativeResponses(operation: Operation, schemas: ComponentSchemas): AlternativeResponse[] {
  const { queryDto, description } = operation;
  const alternatives: AlternativeResponse[] = [];
  const headers = buildSuccessHeaders(operation);
  if (description.geoJson) {
    const { componentName: name, description: text } = getApiSchema(description.geoJson.response);
    const content = buildContent(description.geoJson.mediaType, schemas.resolve(description.geoJson.response), schemas);
    alternatives.push({ extension: 'x-geojson', name, response: { description: text, headers, content } });
  }
  const selectedDto = queryDto && getSelectedDto(queryDto);
  if (selectedDto) {
    const schema = schemas.makePartial(schemas.resolve(description.response!), getApiSchema(selectedDto).componentName);
    const response = { description: PARTIAL, headers, content: buildContent('application/json', schema, schemas) };
    alternatives.push({ extension: 'x-fields', name: schema.$ref!.split('/').at(-1)!, response });
  }
  return alternatives;
}

/**
 * Returns the alternative responses by name.
 * @throws Error if two responses have the same name
 */
export function collectAlternativeResponses(alternatives: AlternativeResponse[]): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {};
  for (const { name, response } of alternatives) {
    if (responses[name] && !isDeepStrictEqual(responses[name], response))
      throw new Error(`Two alternative responses have the name ${name}.`);
    responses[name] = response;
  }
  return responses;
}

function getSuccessStatus({ description: { status, response } }: Operation): number {
  return status ?? (response ? 200 : 204);
}

function buildSuccessResponse(operation: Operation, schemas: ComponentSchemas): ResponseObject {
  const { response } = operation.description;
  const headers = buildSuccessHeaders(operation);
  if (!response) return { description: 'The request succeeded. The response has no body.', headers };
  return {
    description: getSuccessStatus(operation) === 201 ? 'The request created a resource.' : 'The request succeeded.',
    headers,
    content: buildContent('application/json', schemas.resolve(response), schemas),
  };
}

function buildContent(mediaType: string, schema: JsonSchema, schemas: ComponentSchemas): ResponseObject['content'] {
  return { [mediaType]: { schema, example: schemas.buildExample(schema) } };
}

function buildNotModifiedResponse(operation: Operation): Record<string, ResponseObject> {
  if (operation.api.kind !== 'resource' || operation.route.method !== 'GET') return {};
  const headers = toHeaderRefs([...getCommonHeaders(operation), 'ETag', 'Cache-Control']);
  return { 304: { description: 'The resource has not changed. The response has no body.', headers } };
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

function buildSuccessHeaders(operation: Operation): ResponseObject['headers'] {
  return toHeaderRefs([...getCommonHeaders(operation), ...getSuccessHeaders(operation)]);
}

/** The OAuth endpoints send the headers of a limit only with 429. */
function getCommonHeaders(operation: Operation, status?: number): ResponseHeaderName[] {
  return ['X-Request-Id', ...(isRateLimited(operation) || status === 429 ? RATE_LIMIT_HEADERS : [])];
}

function getSuccessHeaders(operation: Operation): ResponseHeaderName[] {
  const { api, route, isPaginated, description } = operation;
  if (api.kind !== 'resource') return ['Cache-Control'];
  if (route.method !== 'GET') {
    return [
      'Cache-Control',
      ...(getSuccessStatus(operation) === 201 ? (['Location'] as const) : []),
      ...(description.acceptsIdempotencyKey ? (['Idempotency-Replayed'] as const) : []),
    ];
  }
  const hasLicense = operation.settings.licenseLink !== undefined && isLicensed(api.controller);
  return ['Cache-Control', 'ETag', ...(isPaginated || hasLicense ? (['Link'] as const) : [])];
}

/** A POST redirects to the same page by GET. */
function buildPageResponses({ route }: Operation, schemas: ComponentSchemas): Record<string, ResponseObject> {
  const statuses = route.method === 'GET' ? [200, 303, 400, 500, 503] : [303, 400, 413, 415, 500, 503];
  return Object.fromEntries(statuses.map((status) => [status, buildPageResponse(status, schemas)]));
}

function buildPageResponse(status: number, schemas: ComponentSchemas): ResponseObject {
  if (status === 303) {
    return {
      description: 'Redirects the browser to the next page, or back to the app.',
      headers: toHeaderRefs(['X-Request-Id', 'Location']),
    };
  }
  const headers = toHeaderRefs(['X-Request-Id', ...(status === 503 ? (['Retry-After'] as const) : [])]);
  return {
    description: PAGE_DESCRIPTIONS[status]!,
    headers,
    content: buildContent('text/html', schemas.resolve(HTML_PAGE), schemas),
  };
}
