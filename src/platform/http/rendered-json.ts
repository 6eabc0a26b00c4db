import type { Response } from 'express';

/** The id and the version of a record, for its entity tag. */
interface RecordVersion {
  id: string;
  version: number;
}

/** An object as JSON text, which is sent as it is. */
export class RenderedJson<T extends object = object> {
  private encoded: Buffer | undefined;

  /** @param record the record that the text shows, if it shows one */
  constructor(
    readonly text: string,
    readonly record?: RecordVersion,
  ) {}

  /** The text in UTF-8, encoded at the first use. */
  get bytes(): Buffer {
    return (this.encoded ??= Buffer.from(this.text));
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
export function renderJson(body: object): string {
  if (body instanceof RenderedJson) return body.text;
  const { data, ...rest } = body as { data?: unknown };
  if (!isTextList(data)) return JSON.stringify(body);
  let items = '';
  for (const { text } of data) items += items === '' ? text : `,${text}`;
  const members = JSON.stringify(rest).slice(1);
  return `{"data":[${items}]${members === '}' ? '' : ','}${members}`;
}

function isTextList(data: unknown): data is RenderedJson[] {
  return Array.isArray(data) && data.every((item) => item instanceof RenderedJson);
}
