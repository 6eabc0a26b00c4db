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

/** Returns a response, resolving a reference to the components. */
export function resolveResponse(
  { components }: ReferenceDocument,
  response: ReferenceResponse | { $ref: string },
): ReferenceResponse {
  return '$ref' in response ? components.responses[response.$ref.split('/').at(-1)!]! : response;
}

/** Returns the examples of a body, by name. */
export function listExamples({ example, examples }: ReferenceContent): [name: string, value: unknown][] {
  if (examples) return Object.entries(examples).map(([name, { value }]) => [name, value]);
  return example === undefined ? [] : [['example', example]];
}
