import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Answer, Body, Service } from './service.js';

/** An operation of the document, and where it is found. */
export interface Operation {
  method: string;
  /** As in `/api/edits/{id}`. */
  path: string;
  /** Where in the document it stands, as a JSON pointer. */
  pointer: string;
  told: Body;
}

/** The OpenAPI document of a service, and whether answers are as it says. */
export class Reference {
  readonly operations: Operation[];
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });

  private constructor(readonly document: Body) {
    addFormats.default(this.ajv);
    this.ajv.addSchema(closed(document) as object, 'openapi');
    this.operations = Object.entries<Body>(document.paths).flatMap(([path, item]) =>
      Object.entries<Body>(item).map(([method, told]) => ({
        method: method.toUpperCase(),
        path,
        pointer: `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`,
        told,
      })),
    );
  }

  static async of(service: Service): Promise<Reference> {
    return new Reference((await service.call('GET', '/api/openapi.json')).body);
  }

  get(operationId: string): Operation {
    const found = this.operations.find(({ told }) => told.operationId === operationId);
    if (!found) throw new Error(`There is no operation ${operationId}.`);
    return found;
  }

  /** What stands somewhere in the document, past references. */
  at(pointer: string): { pointer: string; value: Body } {
    let value = this.document;
    for (const name of pointer.split('/').slice(1)) value = value?.[name.replaceAll('~1', '/').replaceAll('~0', '~')];
    return typeof value?.$ref === 'string' ? this.at(value.$ref.slice(1)) : { pointer, value };
  }

  /** What is wrong with a value by the schema at a pointer; nothing that no schema names may stand in it. */
  problems(pointer: string, value: unknown): string[] {
    const isRight = this.ajv.getSchema(`openapi#${encodeURI(pointer)}`)!;
    if (isRight(value) === true) return [];
    return isRight.errors!.map(({ instancePath, message }) => `${instancePath || 'it'} ${message}`);
  }

  /** What of an answer is not as the document says. */
  undocumented({ pointer }: Operation, { status, headers, body }: Answer): string[] {
    const answer = this.at(`${pointer}/responses/${status}`);
    if (!answer.value) return [`${status} is not documented`];
    const { content } = answer.value;
    if (!content) return body === '' ? [] : [`${status} has a body`];
    const type = (headers.get('content-type') ?? 'none').split(';')[0]!;
    if (!content[type]) return [`${status} comes as ${type}`];
    const media = `${answer.pointer}/content/${type.replaceAll('/', '~1')}`;
    return this.problems(this.at(`${media}/schema`).pointer, body).map((problem) => `${status}: ${problem}`);
  }
}

/** A document whose objects hold what they say and nothing else. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const { example: _, examples: __, ...rest } = node as Record<string, unknown>;
  const all = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, closed(value)]));
  const isObject = [all['type']].flat().includes('object') && all['properties'] !== undefined;
  return isObject ? { additionalProperties: false, ...all } : all;
}
