import fc, { type Arbitrary } from 'fast-check';
import type { OpenApiDocument } from '../support/openapi-document.js';
import type { ResponseBody } from '../support/test-server.js';

/** Texts that often cause errors. */
const UNUSUAL_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00b',
  '\u202eabc',
  '🌊'.repeat(60),
  'e\u0301'.repeat(50),
  'İıẞßﬁ',
  '東京の壁画',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "' OR 1=1 --",
  '"',
  '%',
  '%_\\',
  '*',
  '../../etc/passwd',
  '${7*7}',
  'null',
  'NaN',
  'Infinity',
  '-0',
  '1e400',
  '9'.repeat(400),
  '0x10',
  'x'.repeat(5_000),
  '2026-02-30T25:61:00Z',
  '+275760-09-13T00:00:00.001Z',
];

export const unusualText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...UNUSUAL_TEXTS),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);

/** Generates a value of any type. */
export const unusualValue: Arbitrary<unknown> = fc.oneof(
  unusualText,
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, [], {}, [[]], [null], ['']),
  fc.constantFrom<unknown>({ __proto__: null, toString: 1 }, { length: 5 }, JSON.parse('{"__proto__":{"admin":true}}')),
  fc.nat(40).map((depth) => buildNested(depth)),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Generates bodies that are not, or barely, JSON objects in UTF-8. */
export const malformedBody: Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom<string | Buffer>(
    '',
    '{',
    '[]',
    'null',
    '0',
    '""',
    '{}}',
    '{"a":1,"a":2}',
    '{"a":1e999}',
    '\ufeff{}',
    `${'['.repeat(30_000)}`,
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    `{"a":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`,
    JSON.stringify({ a: 'x'.repeat(70_000) }),
    Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
    Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
    'a=1&a=2&%E0%A4%A=%',
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
  ),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
);

/** Generates headers that contradict the request. */
export const unusualHeaders: Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        'text/plain',
        'application/json; charset=utf-16',
        'application/json; charset=latin1',
        'application/json;;;',
        'application/x-www-form-urlencoded',
        'application/problem+json',
        'multipart/form-data; boundary=x',
        'image/png',
        '/',
        '',
      )
      .map((type) => ({ 'Content-Type': type })),
  },
  fc.constantFrom<Record<string, string>>(
    { 'Content-Encoding': 'gzip' },
    { 'Content-Encoding': 'br' },
    { 'Content-Encoding': 'nonsense' },
    { Accept: 'image/png' },
    { Accept: 'application/geo+json' },
    { Accept: ';;q=x,' },
    { Range: 'bytes=0-0' },
    { 'X-HTTP-Method-Override': 'DELETE' },
    { Origin: 'https://evil.example' },
    { Cookie: 'session=x; __proto__=1; a=%E0%A4%A' },
    { 'Accept-Language': 'x'.repeat(2_000) },
  ),
  fc.record({
    'If-Match': createUnusualHeader(),
    // Every existing resource matches `*` with 304 (RFC 9110 §13.1.2), also one without an ETag.
    'If-None-Match': createUnusualHeader().filter((tag) => tag !== '*'),
    'Idempotency-Key': createUnusualHeader(),
  }),
);

/** Generates valid values of an HTTP header field. */
function createUnusualHeader(): Arbitrary<string> {
  const tags = ['*', '""', 'W/""', '"', ',', '"a", W/"b"', `"${'x'.repeat(3_000)}"`, 'W/"col_01JDEM-1-"'];
  return fc.oneof(fc.constantFrom(...tags), fc.stringMatching(/^[\x21-\x7e\xa1-\xff]{1,40}$/));
}

function buildNested(depth: number): unknown {
  return depth === 0 ? 'deep' : { a: [buildNested(depth - 1)] };
}

/** Generates values that match a schema of the document, including its examples. */
export class SchemaArbitraries {
  /** @param ids existing ids, used where the schema has ids */
  constructor(
    private readonly document: OpenApiDocument,
    private readonly ids: string[],
  ) {}

  /** @param pointer the JSON pointer of the schema */
  forPointer(pointer: string): Arbitrary<unknown> {
    const { pointer: at, value: schema } = this.document.resolvePointer(pointer);
    const own = this.forSchema(at, schema);
    const examples = [...(schema.examples ?? []), ...(schema.example === undefined ? [] : [schema.example])];
    return examples.length > 0 ? fc.oneof(fc.constantFrom(...(examples as unknown[])), own) : own;
  }

  private forSchema(at: string, schema: ResponseBody): Arbitrary<unknown> {
    for (const combined of ['anyOf', 'allOf'] as const) {
      const parts = (schema[combined] ?? []) as ResponseBody[];
      const [first] = parts;
      if (first && !first.pattern)
        return fc.oneof(...parts.map((_, index) => this.forPointer(`${at}/${combined}/${index}`)));
    }
    if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
    if (schema.const !== undefined) return fc.constant(schema.const);
    const types = [schema.type ?? 'null'].flat() as string[];
    return fc.oneof(...types.map((type) => this.forType(type, at, schema)));
  }

  private forType(type: string, at: string, schema: ResponseBody): Arbitrary<unknown> {
    switch (type) {
      case 'string':
        return this.forString(schema);
      case 'integer':
        return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 3000 });
      case 'number':
        return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'array': {
        const size = { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 4, 4) };
        const items = schema.items ? this.forPointer(`${at}/items`) : fc.jsonValue();
        return schema.uniqueItems ? fc.uniqueArray(items, size) : fc.array(items, size);
      }
      case 'object': {
        const names = Object.keys(schema.properties ?? {});
        const members = Object.fromEntries(names.map((name) => [name, this.forPointer(`${at}/properties/${name}`)]));
        return fc.record(members, { requiredKeys: (schema.required ?? []) as string[] });
      }
      default:
        return fc.constant(null);
    }
  }

  private forString(schema: ResponseBody): Arbitrary<string> {
    const ids = schema.pattern ? this.ids.filter((id) => new RegExp(schema.pattern as string).test(id)) : [];
    if (ids.length === 0 || !schema.pattern.includes('_')) return createTextArbitrary(schema);
    return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...ids) }, createTextArbitrary(schema));
  }
}

function createTextArbitrary({ format, pattern, minLength = 0, maxLength = 40 }: ResponseBody): Arbitrary<string> {
  if (format === 'date-time') {
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
      .map((date) => date.toISOString());
  }
  if (format === 'uri') return fc.webUrl({ validSchemes: ['https'] });
  if (pattern && !/\[\^/.test(pattern as string)) return fc.stringMatching(new RegExp(pattern as string));
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 40) });
}
