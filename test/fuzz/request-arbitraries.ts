import fc, { type Arbitrary } from 'fast-check';
import type { Operation, OpenApiDocument } from '../support/openapi-document.js';
import type { ResponseBody } from '../support/test-server.js';
import { SchemaArbitraries, malformedBody, unusualHeaders, unusualText, unusualValue } from './arbitraries.js';

/** A request to an operation, as it goes over the wire. */
export interface RawRequest {
  method: string;
  /** Its path and query. */
  target: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded';

/** Requests to an operation, made of what the document says of it. */
export class RequestArbitraries {
  private readonly schemaArbitraries: SchemaArbitraries;

  /** @param knownValues values that stand for something, by the name of a member */
  constructor(
    private readonly document: OpenApiDocument,
    private readonly knownValues: Record<string, string[]>,
  ) {
    this.schemaArbitraries = new SchemaArbitraries(document, Object.values(knownValues).flat());
  }

  /** Those that fit the schemas. */
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

  /** Those in which something is wrong. */
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

  /** A parameter that is sent twice, or holds what it should not, or that there is none of. */
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
      .map(([body, more]) => JSON.stringify({ ...body, ...more }));
    const spoiltMember = fc
      .tuple(fitting, fc.nat(), unusualValue)
      .map(([body, at, value]) => JSON.stringify(replaceMember(body, at, value)));
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

  /** Bodies, in which ids stand for something now and then. */
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
    const values = parameters.map(([at, one]) => {
      const fitting = this.schemaArbitraries.forPointer(`${pointer}/parameters/${at}/schema`);
      const isTold = one.example !== undefined && place === 'query';
      return [one.name as string, isTold ? fc.oneof(fc.constant(one.example as unknown), fitting) : fitting];
    });
    const all = Object.fromEntries(values) as Record<string, Arbitrary<unknown>>;
    const required = parameters.filter(([, one]) => one.required).map(([, one]) => one.name as string);
    // Of many filters few go together.
    const chosen = fc.subarray(Object.keys(all), { maxLength: Math.min(3, parameters.length) });
    return chosen
      .chain((names) =>
        fc.record(
          mapValues(all, (one, name) =>
            [...required, ...names].includes(name) ? (one as Arbitrary<unknown>) : fc.constant(undefined),
          ),
        ),
      )
      .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
  }
}

/** Puts values that stand for something where such stand, but for one in eight. */
function substituteKnownIds(value: unknown, known: Record<string, string[]>, stream: Iterator<number>): unknown {
  if (Array.isArray(value)) return value.map((one) => substituteKnownIds(one, known, stream));
  if (typeof value !== 'object' || value === null) return value;
  return mapValues(value as Record<string, unknown>, (member, name) => {
    const values = typeof member === 'string' ? known[name] : undefined;
    const at = values ? (stream.next().value as number) : 0;
    if (values) return at % 8 === 0 ? member : values[at % values.length];
    return substituteKnownIds(member, known, stream);
  });
}

/** A body with something else in place of one of its members, or of one below. */
function replaceMember(body: ResponseBody, at: number, value: unknown): ResponseBody {
  const names = Object.keys(body ?? {});
  if (names.length === 0) return value;
  const name = names[at % names.length]!;
  const member = body[name] as unknown;
  const goesOn = at % 3 === 0 && typeof member === 'object' && member !== null;
  return { ...body, [name]: goesOn ? replaceMember(member, Math.floor(at / 3), value) : value };
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

/** As an address can hold it; halves of surrogate pairs as the bytes that some programs make of them. */
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
