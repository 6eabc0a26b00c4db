import type { Response } from 'express';

/** The id and the version of a record, for its entity tag. */
interface RecordVersion {
  id: string;
  version: number;
}

/** An object as JSON text, which is sent as it is. */
export class RenderedJson<T extends object = object> {
  private encoded: Buffer | undefined;

  /**
   * @param parts the text in parts, such as the items of a list. A part without characters beyond
   * Latin-1 is encoded faster, even if other parts contain such characters.
   * @param record the record that the text shows, if it shows one
   */
  constructor(
    private readonly parts: string[],
    readonly record?: RecordVersion,
  ) {}

  get text(): string {
    return this.parts.length === 1 ? this.parts[0]! : this.parts.join('');
  }

  /** The text in UTF-8, encoded at the first use. */
  get bytes(): Buffer {
    return (this.encoded ??= encode(this.parts));
  }

  parse(): T {
    return JSON.parse(this.text) as T;
  }

  /** So `JSON.stringify` writes the object, and not a string. */
  toJSON(): T {
    return this.parse();
  }
}

/** A response of the resource APIs to a GET request. */
export interface RenderingResponse extends Response {
  /** Renders the body before it is sent. */
  renderJson?: (body: object) => RenderedJson;
  /** The error to send instead of a 304. */
  notModifiedError?: Error;
}

/** Renders a response body as JSON text. It does not parse the texts in a list. */
export function renderJson(body: object): RenderedJson {
  if (body instanceof RenderedJson) return body as RenderedJson;
  const { data, ...rest } = body as { data?: unknown };
  if (!isTextList(data)) return new RenderedJson([JSON.stringify(body)]);
  const items = data.map(({ text }, index) => (index === 0 ? text : `,${text}`));
  const members = JSON.stringify(rest).slice(1);
  return new RenderedJson(['{"data":[', ...items, `]${members === '}' ? '' : ','}${members}`]);
}

function encode(parts: string[]): Buffer {
  const encoded = parts.map((part) => Buffer.from(part));
  return encoded.length === 1 ? encoded[0]! : Buffer.concat(encoded);
}

function isTextList(data: unknown): data is RenderedJson[] {
  return Array.isArray(data) && data.every((item) => item instanceof RenderedJson);
}
