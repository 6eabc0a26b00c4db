import type { JsonSchema } from '../../../platform/openapi/json-schema.js';

/** The parts of the OpenAPI document that the page shows. */
export interface ReferenceDocument {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, ReferenceOperation>>;
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, ReferenceResponse> };
}

/** An Operation Object. */
export interface ReferenceOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: [string];
  /** One requirement for each way to authenticate; an empty one allows calls without a token. */
  security: Record<string, string[]>[];
  parameters: ReferenceParameter[];
  requestBody?: { required: boolean; content: Record<string, ReferenceContent> };
  responses: Record<string, ReferenceResponse | { $ref: string }>;
}

/** A Parameter Object. */
export interface ReferenceParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: JsonSchema;
}

/** A Response Object. */
export interface ReferenceResponse {
  description: string;
  content?: Record<string, ReferenceContent>;
}

/** A Media Type Object. */
export interface ReferenceContent {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

/** An error of the API, or an OAuth error, which has its code in `error`. */
interface ReferenceError {
  status: string;
  error: string;
  code?: string;
  reason?: string;
  error_description?: string;
}

/** An operation with its address. */
export interface AddressedOperation extends ReferenceOperation {
  /** In capital letters. */
  method: string;
  /** With parameters in braces: `/api/markers/{id}`. */
  path: string;
}

/** Returns the operations of a tag, in the order of the document. */
export function listOperationsOfTag({ paths }: ReferenceDocument, tag: string): AddressedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags[0] === tag)
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** Returns all operations, in the order of the tags. */
export function listOperations(document: ReferenceDocument): AddressedOperation[] {
  return document.tags.flatMap(({ name }) => listOperationsOfTag(document, name));
}

/** Returns the parameters of an operation and the members of its body. */
export function listInputs(
  { components }: ReferenceDocument,
  { parameters, requestBody }: AddressedOperation,
): { name: string; description: string }[] {
  const [{ schema = {} } = {}] = Object.values(requestBody?.content ?? {});
  const { properties = {} } = schema.$ref === undefined ? schema : components.schemas[getComponentName(schema.$ref)]!;
  const members = Object.entries(properties).map(([name, { description = '' }]) => ({ name, description }));
  return [...parameters, ...members];
}

/** Returns the errors of an operation in JSON, with their status. */
export function listErrors(document: ReferenceDocument, { responses }: AddressedOperation): ReferenceError[] {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, response]) => {
      const { content = {} } = resolveResponse(document, response);
      const examples = content['application/json'] ? listExamples(content['application/json']) : [];
      return examples.map(([, body]) => ({ status, ...(body as Omit<ReferenceError, 'status'>) }));
    });
}

/** Returns a response, resolving a reference to the components. */
export function resolveResponse(
  { components }: ReferenceDocument,
  response: ReferenceResponse | { $ref: string },
): ReferenceResponse {
  return '$ref' in response ? components.responses[getComponentName(response.$ref)]! : response;
}

/** Returns the last part of a reference to a component. */
export function getComponentName(reference: string): string {
  return reference.split('/').at(-1)!;
}

/** Returns the examples of a body, by name. */
export function listExamples({ example, examples }: ReferenceContent): [name: string, value: unknown][] {
  if (examples) return Object.entries(examples).map(([name, { value }]) => [name, value]);
  return example === undefined ? [] : [['example', example]];
}
