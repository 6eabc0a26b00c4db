import fc, { type Arbitrary } from 'fast-check';
import type { Operation, OpenApiDocument } from '../support/openapi-document.js';
import type { ResponseBody } from '../support/test-server.js';
import { SchemaArbitraries, malformedBody, unusualHeaders, unusualText, unusualValue } from './arbitraries.js';

/** A raw HTTP request to an operation. */
export interface RawRequest {
  method: string;
  /** The path and the query. */
  target: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded';

/** Generates requests to an operation from the OpenAPI document. */
export class RequestArbitraries {
  private readonly schemaArbitraries: SchemaArbitraries;

  /** @param knownValues existing values by the name of a member */
  constructor(
    private readonly document: OpenApiDocument,
    private readonly knownValues: Record<string, string[]>,
  ) {
    this.schemaArbitraries = new SchemaArbitraries(document, Object.values(knownValues).flat());
  }

  /** Generates requests that match the schemas. */
  forValidRequest(operation: Operation): Arbitrary<RawRequest> {
    return fc
      .record({
        path: this.forParameters(operation, 'path'),
        query: this.forParameters(operation, 'query'),
        headers: this.forParameters(operation, 'header'),
        body: this.forRequestBody(operation),
      })
      .map(({ path, query, headers, body }) => ({
        method: operation.method,
        target: buildPath(operation, path) + buildQuery(Object.entries(query)),
        headers: { ...toHeaderValues(headers), ...(body && { 'Content-Type': body.type }) },
        body: body && serializeBody(body),
      }));
  }

  /** Generates requests with one error. */
  forInvalidRequest(operation: Operation): Arbitrary<RawRequest> {
    const path = this.forParameters(operation, 'path');
    return fc
      .record({
        path: fc.oneof(
          path,
          path.map((values) => mapValues(values, () => 'x')),
        ),
        inPath: fc.option(
          fc.oneof(unusualText.map(encodeUriText), fc.constantFrom('%', '%E0%A4%A', '%00', '%2F..', '.', '%2e')),
          {
            nil: undefined,
          },
        ),
        query: fc.oneof(this.forParameters(operation, 'query'), fc.constant({})),
        pairs: fc.array(this.forQueryPair(operation), { maxLength: 3 }),
        headers: unusualHeaders,
        body: this.forMalformedBody(operation),
      })
      .map(({ path, inPath, query, pairs, headers, body }) => ({
        method: operation.method,
        target: buildPath(operation, path, inPath) + buildQuery([...Object.entries(query), ...pairs]),
        headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
        body,
      }));
  }

  /** Generates a repeated, an invalid or an unknown parameter. */
  private forQueryPair({ definition }: Operation): Arbitrary<[string, unknown]> {
    const names = (definition.parameters ?? [])
      .filter((one: ResponseBody) => one.in === 'query')
      .map((one: ResponseBody) => one.name as string);
    const suffixes = ['', '[]', '[a]', '[__proto__]', '.a'];
    const name = fc.oneof(fc.constantFrom('nonsense', '__proto__', 'constructor', ...(names as string[])), unusualText);
    return fc.tuple(
      fc.tuple(name, fc.constantFrom(...suffixes)).map((parts) => parts.join('')),
      unusualText,
    );
  }

  private forMalformedBody({ pointer, definition }: Operation): Arbitrary<string | Buffer | undefined> {
    const [type] = Object.keys(definition.requestBody?.content ?? {});
    if (type === undefined) return fc.option(malformedBody, { nil: undefined });
    const fitting = this.forBodySchema(
      `${pointer}/requestBody/content/${type.replaceAll('/', '~1')}/schema`,
    ) as Arbitrary<ResponseBody>;
    const names = fc.constantFrom('nonsense', '__proto__', 'items', 'changes', 'ids', 'filter', 'name', 'comment');
    const spoilt = fc
      .tuple(fitting, fc.dictionary(fc.oneof(names, unusualText), unusualValue, { maxKeys: 3 }))
      .map(([body, overrides]) => JSON.stringify({ ...body, ...overrides }));
    const spoiltMember = fc
      .tuple(fitting, fc.nat(), unusualValue)
      .map(([body, index, value]) => JSON.stringify(replaceMember(body, index, value)));
    const form = fc
      .array(fc.tuple(fc.oneof(names, fc.constantFrom('grant_type', 'token', 'client_id', 'code')), unusualText))
      .map((pairs) => new URLSearchParams(pairs.map(([name, value]) => [name, toWellFormed(value)])).toString());
    return fc.oneof(malformedBody, spoilt, { weight: 3, arbitrary: spoiltMember }, form);
  }

  private forRequestBody({ pointer, definition }: Operation): Arbitrary<{ type: string; value: unknown } | undefined> {
    const types = Object.keys(definition.requestBody?.content ?? {});
    if (types.length === 0) return fc.constant(undefined);
    return fc.constantFrom(...types).chain((type) => {
      const at = `${pointer}/requestBody/content/${type.replaceAll('/', '~1')}/schema`;
      const examples = Object.values(definition.requestBody.content[type].examples ?? {}).map(
        (one) => (one as ResponseBody).value,
      );
      const fitting = this.forBodySchema(at);
      const body = examples.length > 0 ? fc.oneof(fitting, this.withKnownIds(fc.constantFrom(...examples))) : fitting;
      return body.map((value) => ({ type, value }));
    });
  }

  /** Generates bodies in which some ids exist. */
  private forBodySchema(pointer: string): Arbitrary<unknown> {
    return this.withKnownIds(this.schemaArbitraries.forPointer(pointer));
  }

  private withKnownIds(bodies: Arbitrary<unknown>): Arbitrary<unknown> {
    return fc
      .tuple(bodies, fc.infiniteStream(fc.nat(10_000)))
      .map(([body, stream]) => substituteKnownIds(body, this.knownValues, stream));
  }

  private forParameters({ pointer, definition }: Operation, place: string): Arbitrary<Record<string, unknown>> {
    const parameters = [...((definition.parameters ?? []) as ResponseBody[]).entries()].filter(
      ([, one]) => one.in === place,
    );
    const values = parameters.map(([index, one]) => {
      const fitting = this.schemaArbitraries.forPointer(`${pointer}/parameters/${index}/schema`);
      const isVisible = one.example !== undefined && place === 'query';
      return [one.name as string, isVisible ? fc.oneof(fc.constant(one.example as unknown), fitting) : fitting];
    });
    const all = Object.fromEntries(values) as Record<string, Arbitrary<unknown>>;
    const required = parameters.filter(([, one]) => one.required).map(([, one]) => one.name as string);
    // Most combinations of many filters are rejected.
    const chosen = fc.subarray(Object.keys(all), { maxLength: Math.min(3, parameters.length) });
    return chosen
      .chain((names) =>
        fc.record(
          mapValues(all, (one, name) =>
            [...required, ...names].includes(name) ? (one as Arbitrary<unknown>) : fc.constant(undefined),
          ),
        ),
      )
      .map((parameters) => Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined)));
  }
}

/** Replaces seven of eight ids with existing ones. */
function substituteKnownIds(value: unknown, known: Record<string, string[]>, stream: Iterator<number>): unknown {
  if (Array.isArray(value)) return value.map((one) => substituteKnownIds(one, known, stream));
  if (typeof value !== 'object' || value === null) return value;
  return mapValues(value as Record<string, unknown>, (member, name) => {
    const values = typeof member === 'string' ? known[name] : undefined;
    const index = values ? (stream.next().value as number) : 0;
    if (values) return index % 8 === 0 ? member : values[index % values.length];
    return substituteKnownIds(member, known, stream);
  });
}

/** Returns a body with one member, at any depth, replaced. */
function replaceMember(body: ResponseBody, index: number, value: unknown): ResponseBody {
  const names = Object.keys(body ?? {});
  if (names.length === 0) return value;
  const name = names[index % names.length]!;
  const member = body[name] as unknown;
  const goesOn = index % 3 === 0 && typeof member === 'object' && member !== null;
  return { ...body, [name]: goesOn ? replaceMember(member, Math.floor(index / 3), value) : value };
}

function buildPath({ path }: Operation, values: Record<string, unknown>, last?: string): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === names.at(-1) && last ? last : encodeUriText(String(values[name])) || 'x',
  );
}

function buildQuery(pairs: [name: string, value: unknown][]): string {
  const texts = pairs.map(
    ([name, value]) =>
      `${encodeUriText(name)}=${[value]
        .flat()
        .map((one) => encodeUriText(String(one)))
        .join(',')}`,
  );
  return texts.length > 0 ? `?${texts.join('&')}`.slice(0, 6_000) : '';
}

/** Encodes a text for an address; a lone surrogate becomes the bytes that some programs send. */
function encodeUriText(text: string): string {
  return [...text].map((one) => (/\p{Cs}/u.test(one) ? '%ED%A0%80' : encodeURIComponent(one))).join('');
}

function toWellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

function toHeaderValues(values: Record<string, unknown>): Record<string, string> {
  return mapValues(values, (value) => String(value).replace(/[^\x21-\x7e]/g, 'x') || 'x');
}

function serializeBody({ type, value }: { type: string; value: unknown }): string {
  if (type !== FORM_CONTENT_TYPE) return JSON.stringify(value);
  return new URLSearchParams(
    mapValues(value as Record<string, unknown>, (member) => toWellFormed(String(member))),
  ).toString();
}

function mapValues<T>(values: Record<string, unknown>, change: (value: unknown, name: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}
