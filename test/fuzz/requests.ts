import fc, { type Arbitrary } from 'fast-check';
import type { Operation, Reference } from '../support/reference.js';
import type { Body } from '../support/service.js';
import { Fitting, strangeBody, strangeHeaders, strangeText, strangeValue } from './arbitraries.js';

/** A request to an operation, as it goes over the wire. */
export interface Sent {
  method: string;
  /** Its path and query. */
  target: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

const FORM = 'application/x-www-form-urlencoded';

/** Requests to an operation, made of what the document says of it. */
export class Requests {
  private readonly fitting: Fitting;

  /** @param known values that stand for something, by the name of a member */
  constructor(
    private readonly reference: Reference,
    private readonly known: Record<string, string[]>,
  ) {
    this.fitting = new Fitting(reference, Object.values(known).flat());
  }

  /** Those that fit the schemas. */
  fit(operation: Operation): Arbitrary<Sent> {
    return fc
      .record({
        path: this.values(operation, 'path'),
        query: this.values(operation, 'query'),
        headers: this.values(operation, 'header'),
        body: this.body(operation),
      })
      .map(({ path, query, headers, body }) => ({
        method: operation.method,
        target: addressOf(operation, path) + queryOf(Object.entries(query)),
        headers: { ...textsOf(headers), ...(body && { 'Content-Type': body.type }) },
        body: body && textOf(body),
      }));
  }

  /** Those in which something is wrong. */
  strange(operation: Operation): Arbitrary<Sent> {
    const path = this.values(operation, 'path');
    return fc
      .record({
        path: fc.oneof(
          path,
          path.map((values) => mapOf(values, () => 'x')),
        ),
        inPath: fc.option(
          fc.oneof(strangeText.map(encoded), fc.constantFrom('%', '%E0%A4%A', '%00', '%2F..', '.', '%2e')),
          {
            nil: undefined,
          },
        ),
        query: fc.oneof(this.values(operation, 'query'), fc.constant({})),
        pairs: fc.array(this.pair(operation), { maxLength: 3 }),
        headers: strangeHeaders,
        body: this.strangeBody(operation),
      })
      .map(({ path, inPath, query, pairs, headers, body }) => ({
        method: operation.method,
        target: addressOf(operation, path, inPath) + queryOf([...Object.entries(query), ...pairs]),
        headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
        body,
      }));
  }

  /** A parameter that is sent twice, or holds what it should not, or that there is none of. */
  private pair({ told }: Operation): Arbitrary<[string, unknown]> {
    const names = (told.parameters ?? [])
      .filter((one: Body) => one.in === 'query')
      .map((one: Body) => one.name as string);
    const suffixes = ['', '[]', '[a]', '[__proto__]', '.a'];
    const name = fc.oneof(fc.constantFrom('nonsense', '__proto__', 'constructor', ...(names as string[])), strangeText);
    return fc.tuple(
      fc.tuple(name, fc.constantFrom(...suffixes)).map((parts) => parts.join('')),
      strangeText,
    );
  }

  private strangeBody({ pointer, told }: Operation): Arbitrary<string | Buffer | undefined> {
    const [type] = Object.keys(told.requestBody?.content ?? {});
    if (type === undefined) return fc.option(strangeBody, { nil: undefined });
    const fitting = this.ofBody(
      `${pointer}/requestBody/content/${type.replaceAll('/', '~1')}/schema`,
    ) as Arbitrary<Body>;
    const names = fc.constantFrom('nonsense', '__proto__', 'items', 'changes', 'ids', 'filter', 'name', 'comment');
    const spoilt = fc
      .tuple(fitting, fc.dictionary(fc.oneof(names, strangeText), strangeValue, { maxKeys: 3 }))
      .map(([body, more]) => JSON.stringify({ ...body, ...more }));
    const spoiltMember = fc
      .tuple(fitting, fc.nat(), strangeValue)
      .map(([body, at, value]) => JSON.stringify(replaced(body, at, value)));
    const form = fc
      .array(fc.tuple(fc.oneof(names, fc.constantFrom('grant_type', 'token', 'client_id', 'code')), strangeText))
      .map((pairs) => new URLSearchParams(pairs.map(([name, value]) => [name, wellFormed(value)])).toString());
    return fc.oneof(strangeBody, spoilt, { weight: 3, arbitrary: spoiltMember }, form);
  }

  private body({ pointer, told }: Operation): Arbitrary<{ type: string; value: unknown } | undefined> {
    const types = Object.keys(told.requestBody?.content ?? {});
    if (types.length === 0) return fc.constant(undefined);
    return fc.constantFrom(...types).chain((type) => {
      const at = `${pointer}/requestBody/content/${type.replaceAll('/', '~1')}/schema`;
      const examples = Object.values(told.requestBody.content[type].examples ?? {}).map((one) => (one as Body).value);
      const fitting = this.ofBody(at);
      const body = examples.length > 0 ? fc.oneof(fitting, this.withIds(fc.constantFrom(...examples))) : fitting;
      return body.map((value) => ({ type, value }));
    });
  }

  /** Bodies, in which ids stand for something now and then. */
  private ofBody(pointer: string): Arbitrary<unknown> {
    return this.withIds(this.fitting.of(pointer));
  }

  private withIds(bodies: Arbitrary<unknown>): Arbitrary<unknown> {
    return fc
      .tuple(bodies, fc.infiniteStream(fc.nat(10_000)))
      .map(([body, stream]) => withIds(body, this.known, stream));
  }

  private values({ pointer, told }: Operation, place: string): Arbitrary<Record<string, unknown>> {
    const parameters = [...((told.parameters ?? []) as Body[]).entries()].filter(([, one]) => one.in === place);
    const values = parameters.map(([at, one]) => {
      const fitting = this.fitting.of(`${pointer}/parameters/${at}/schema`);
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
          mapOf(all, (one, name) =>
            [...required, ...names].includes(name) ? (one as Arbitrary<unknown>) : fc.constant(undefined),
          ),
        ),
      )
      .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
  }
}

/** Puts values that stand for something where such stand, but for one in eight. */
function withIds(value: unknown, known: Record<string, string[]>, stream: Iterator<number>): unknown {
  if (Array.isArray(value)) return value.map((one) => withIds(one, known, stream));
  if (typeof value !== 'object' || value === null) return value;
  return mapOf(value as Record<string, unknown>, (member, name) => {
    const values = typeof member === 'string' ? known[name] : undefined;
    const at = values ? (stream.next().value as number) : 0;
    if (values) return at % 8 === 0 ? member : values[at % values.length];
    return withIds(member, known, stream);
  });
}

/** A body with something else in place of one of its members, or of one below. */
function replaced(body: Body, at: number, value: unknown): Body {
  const names = Object.keys(body ?? {});
  if (names.length === 0) return value;
  const name = names[at % names.length]!;
  const member = body[name] as unknown;
  const goesOn = at % 3 === 0 && typeof member === 'object' && member !== null;
  return { ...body, [name]: goesOn ? replaced(member, Math.floor(at / 3), value) : value };
}

function addressOf({ path }: Operation, values: Record<string, unknown>, last?: string): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === names.at(-1) && last ? last : encoded(String(values[name])) || 'x',
  );
}

function queryOf(pairs: [name: string, value: unknown][]): string {
  const texts = pairs.map(
    ([name, value]) =>
      `${encoded(name)}=${[value]
        .flat()
        .map((one) => encoded(String(one)))
        .join(',')}`,
  );
  return texts.length > 0 ? `?${texts.join('&')}`.slice(0, 6_000) : '';
}

/** As an address can hold it; halves of surrogate pairs as the bytes that some programs make of them. */
function encoded(text: string): string {
  return [...text].map((one) => (/\p{Cs}/u.test(one) ? '%ED%A0%80' : encodeURIComponent(one))).join('');
}

function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

function textsOf(values: Record<string, unknown>): Record<string, string> {
  return mapOf(values, (value) => String(value).replace(/[^\x21-\x7e]/g, 'x') || 'x');
}

function textOf({ type, value }: { type: string; value: unknown }): string {
  if (type !== FORM) return JSON.stringify(value);
  return new URLSearchParams(
    mapOf(value as Record<string, unknown>, (member) => wellFormed(String(member))),
  ).toString();
}

function mapOf<T>(values: Record<string, unknown>, change: (value: unknown, name: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}
