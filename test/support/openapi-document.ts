import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TestResponse, ResponseBody, TestServer } from './test-server.js';

/** An operation of the document and its JSON pointer. */
export interface Operation {
  method: string;
  /** For example `/api/edits/{id}`. */
  path: string;
  /** The JSON pointer of the operation. */
  pointer: string;
  definition: ResponseBody;
}

/** The OpenAPI document of a server, with validation of responses. */
export class OpenApiDocument {
  readonly operations: Operation[];
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });

  constructor(readonly document: ResponseBody) {
    addFormats.default(this.ajv);
    this.ajv.addSchema(disallowAdditionalProperties(document) as object, 'openapi');
    this.operations = Object.entries<ResponseBody>(document.paths).flatMap(([path, item]) =>
      Object.entries<ResponseBody>(item).map(([method, definition]) => ({
        method: method.toUpperCase(),
        path,
        pointer: `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`,
        definition,
      })),
    );
  }

  static async load(server: TestServer): Promise<OpenApiDocument> {
    return new OpenApiDocument((await server.request('GET', '/api/openapi.json')).body);
  }

  findOperation(operationId: string): Operation {
    const found = this.operations.find(({ definition }) => definition.operationId === operationId);
    if (!found) throw new Error(`There is no operation ${operationId}.`);
    return found;
  }

  /** Finds the operation of a request. A path without parameters comes before one with them. */
  findByAddress(method: string, pathname: string): Operation | undefined {
    const candidates = this.operations.filter((operation) => operation.method === method);
    return (
      candidates.find(({ path }) => path === pathname) ??
      candidates.find(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname))
    );
  }

  /** Resolves a JSON pointer and the references on its way. */
  resolvePointer(pointer: string): { pointer: string; value: ResponseBody } {
    let value = this.document;
    for (const name of pointer.split('/').slice(1)) value = value?.[name.replaceAll('~1', '/').replaceAll('~0', '~')];
    return typeof value?.$ref === 'string' ? this.resolvePointer(value.$ref.slice(1)) : { pointer, value };
  }

  /**
   * Validates a value against the schema at a pointer, without additional members.
   * @returns the errors
   */
  validateValue(pointer: string, value: unknown): string[] {
    const isRight = this.ajv.getSchema(`openapi#${encodeURI(pointer)}`)!;
    if (isRight(value) === true) return [];
    return isRight.errors!.map(({ instancePath, message }) => `${instancePath || 'it'} ${message}`);
  }

  /**
   * Validates a response; GeoJSON against the response that `x-geojson` refers to.
   * @param hasFields whether the request has the parameter `fields`; then `x-fields` refers to the
   * response
   * @returns the errors
   */
  validateResponse(
    { pointer, definition }: Operation,
    { status, headers, body }: TestResponse,
    hasFields = false,
  ): string[] {
    const isGeoJson = status === 200 && headers.get('content-type')?.startsWith('application/geo+json');
    const extension = isGeoJson ? 'x-geojson' : 'x-fields';
    const isAlternative = status === 200 && (isGeoJson || hasFields) && definition[extension];
    const response = this.resolvePointer(isAlternative ? `${pointer}/${extension}` : `${pointer}/responses/${status}`);
    if (!response.value) return [`${status} is not documented`];
    const { content } = response.value;
    if (!content) return body === '' ? [] : [`${status} has a body`];
    const type = (headers.get('content-type') ?? 'none').split(';')[0]!;
    if (!content[type]) return [`${status} comes as ${type}`];
    const media = `${response.pointer}/content/${type.replaceAll('/', '~1')}`;
    const problems = this.validateValue(this.resolvePointer(`${media}/schema`).pointer, body);
    return problems.map((problem) => `${status}: ${problem}`);
  }
}

/** Returns the document with `additionalProperties: false` in every object schema. */
function disallowAdditionalProperties(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(disallowAdditionalProperties);
  if (typeof node !== 'object' || node === null) return node;
  const { example: _, examples: __, ...rest } = node as Record<string, unknown>;
  const all = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, disallowAdditionalProperties(value)]),
  );
  const isObject = [all['type']].flat().includes('object') && all['properties'] !== undefined;
  return isObject ? { additionalProperties: false, ...all } : all;
}
