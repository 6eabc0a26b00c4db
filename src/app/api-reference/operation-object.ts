import type { JsonSchema } from '../../platform/openapi/json-schema.js';
import type { ParameterDescription } from '../../platform/openapi/api-description.js';
import { buildQueryFields, type ComponentSchemas, isBodyOptional } from './dto-schemas.js';
import type { Operation } from './operation.js';
import { type AlternativeResponse, buildResponses, type ResponseObject } from './responses.js';

type Json = Record<string, unknown>;

/** An OpenAPI Operation Object. */
export interface OperationObject extends Json {
  operationId: string;
  tags: [string];
  responses: Record<string, ResponseObject | { $ref: string }>;
}

/** The security schemes, by their names in the document. */
export const SECURITY_SCHEMES = { token: 'oauth2', clientCredentials: 'appCredentials' };

/** Builds the Operation Object of an operation. */
export function buildOperationObject(
  operation: Operation,
  alternatives: AlternativeResponse[],
  schemas: ComponentSchemas,
): OperationObject {
  const { operationId, summary, description } = operation.description;
  const requestBody = buildRequestBody(operation, schemas);
  return {
    operationId,
    summary,
    description,
    tags: [operation.api.tag],
    security: listSecurityRequirements(operation),
    parameters: buildParameters(operation),
    ...(requestBody && { requestBody }),
    responses: buildResponses(operation, schemas),
    ...Object.fromEntries(
      alternatives.map(({ extension, name }) => [extension, { $ref: `#/components/responses/${name}` }]),
    ),
  };
}

function listSecurityRequirements({ api, route, description }: Operation): Record<string, string[]>[] {
  if (route.scope) return [{ [SECURITY_SCHEMES.token]: [route.scope] }];
  if (route.public === 'optional-token') {
    return [{}, { [SECURITY_SCHEMES.token]: description.optionalScope ? [description.optionalScope] : [] }];
  }
  return api.kind === 'oauth' ? [{ [SECURITY_SCHEMES.clientCredentials]: [] }, {}] : [];
}

function buildParameters(operation: Operation): Json[] {
  const { api, pathParams, queryDto, description } = operation;
  const { query = {}, headers = {} } = description;
  const queryParams = { ...(queryDto && buildQueryFields(queryDto)), ...query };
  return [
    ...pathParams.map((name) => buildParameter('path', name, { schema: api.pathParams![name]!, required: true })),
    ...Object.entries(queryParams).map(([name, parameter]) => buildParameter('query', name, parameter)),
    ...Object.entries({ ...getRequestHeaders(operation), ...headers }).map(([name, parameter]) =>
      buildParameter('header', name, parameter),
    ),
  ];
}

/** The description belongs to the parameter, the example to its schema. */
function buildParameter(location: string, name: string, { schema, required = false }: ParameterDescription): Json {
  const { description, examples, ...keywords } = schema;
  return {
    name,
    in: location,
    required,
    description,
    // Values of one parameter are separated by commas.
    ...(location === 'query' && schema.type === 'array' && { style: 'form', explode: false }),
    schema: { ...keywords, ...(examples && { example: examples[0] }) },
  };
}

/** The headers of conditional requests (RFC 9110 §13.1), and of requests that can be repeated. */
function getRequestHeaders({ api, route, description }: Operation): Record<string, ParameterDescription> {
  const toHeader = (meaning: string, example: string): { schema: JsonSchema } => ({
    schema: { type: 'string', description: meaning, examples: [example] },
  });
  if (api.kind === 'resource' && route.method === 'GET') {
    return {
      'If-None-Match': toHeader(
        '`ETag` of the response that the app has. If nothing changed, the status is 304 and there is no body.',
        'W/"9pVvUqZL1y3cVb0T"',
      ),
    };
  }
  return {
    ...(description.acceptsIfMatch && {
      'If-Match': toHeader(
        '`ETag` of the collection that the app read, or `"id-version"`. If the collection has another version, the status is 412.',
        '"col_01JDEM00000000000000000010-3"',
      ),
    }),
    ...(description.acceptsIdempotencyKey && {
      'Idempotency-Key': toHeader(
        'Unique value for this request, such as a UUID: 1 to 255 characters. If the app sends the request again with the ' +
          'same value within 24 hours, nothing is written, and the response is the first one.',
        '9b6d2f8e-3c2a-4f0e-8a57-0d0f0c8f6a11',
      ),
    }),
  };
}

function buildRequestBody({ bodyDto, description }: Operation, schemas: ComponentSchemas): Json | undefined {
  const { formSchema, bodyExamples } = description;
  const examples = Object.fromEntries(Object.entries(bodyExamples ?? {}).map(([name, value]) => [name, { value }]));
  if (formSchema) {
    const schema = schemas.resolve(formSchema);
    const form = { schema, examples: bodyExamples ? examples : { example: { value: schemas.buildExample(schema) } } };
    return {
      required: (schema.required ?? []).length > 0,
      content: {
        'application/x-www-form-urlencoded': form,
        ...(bodyExamples && { 'application/json': form }),
      },
    };
  }
  if (!bodyDto) return undefined;
  const content = { schema: schemas.resolve(bodyDto), examples };
  return { required: !isBodyOptional(bodyDto), content: { 'application/json': content } };
}
