import express, { type Request, type Response } from 'express';

/** The largest body that an endpoint accepts: 64 KiB. */
const MAX_BODY_SIZE = '64kb';

/**
 * A body that cannot be read: malformed (400), too large (413), or of an unsupported type or
 * encoding (415).
 */
export class UnreadableBodyError extends Error {
  constructor(readonly status: number) {
    super(`The body cannot be read (${status}).`);
  }
}

/** The fields of a form, or the members of a JSON object. */
export interface BodyFields {
  /** Values by name. A field that was sent several times has its last value. */
  values: Record<string, unknown>;
  /** Names of fields that were sent several times. */
  duplicates: ReadonlySet<string>;
}

/** A JSON object, with the properties of its text that `JSON.parse` drops. */
export interface JsonBody extends BodyFields {
  /** Levels of nested objects and arrays. */
  depth: number;
  /** Whether an object at any level has two members of one name. */
  hasDuplicateMembers: boolean;
}

/**
 * Reads the fields of a form or of a JSON object. An empty body has no fields.
 * @throws UnreadableBodyError
 */
export async function readFields(request: Request, response: Response): Promise<BodyFields> {
  return request.is('urlencoded') ? toFields(await readForm(request, response)) : readJson(request, response);
}

/**
 * Reads a JSON object. An empty body counts as an empty object.
 * @throws UnreadableBodyError
 */
export async function readJson(request: Request, response: Response): Promise<JsonBody> {
  const text = await readText(request, response);
  if (text !== '' && !request.is(['json', '+json'])) throw new UnreadableBodyError(415);
  const values = parseObject(text);
  const { depth, duplicateMembers, hasDuplicateMembers } = analyzeJson(text);
  return { values, duplicates: duplicateMembers, depth, hasDuplicateMembers };
}

/**
 * Reads a form. An empty body counts as an empty form.
 * @throws UnreadableBodyError
 */
export async function readForm(request: Request, response: Response): Promise<URLSearchParams> {
  return new URLSearchParams(await readRawForm(request, response));
}

/** Reads a form, in the encoding in which it was sent. @throws UnreadableBodyError */
export async function readRawForm(request: Request, response: Response): Promise<string> {
  const text = await readText(request, response);
  if (text !== '' && !request.is('urlencoded')) throw new UnreadableBodyError(415);
  return text;
}

const readBytes = express.raw({ type: () => true, limit: MAX_BODY_SIZE });
const utf8Decoder = new TextDecoder('utf-8', { fatal: true });

async function readText(request: Request, response: Response): Promise<string> {
  const charset = /;\s*charset="?([^\s";]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) throw new UnreadableBodyError(415);
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (error?: unknown) => {
      if (error) reject(new UnreadableBodyError((error as { status?: number }).status ?? 400));
      else resolve();
    });
  });
  return Buffer.isBuffer(request.body) ? decodeUtf8(request.body) : '';
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8Decoder.decode(bytes);
  } catch {
    throw new UnreadableBodyError(400);
  }
}

function parseObject(text: string): Record<string, unknown> {
  if (text === '') return {};
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new UnreadableBodyError(400);
  return value as Record<string, unknown>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableBodyError(400);
  }
}

function toFields(form: URLSearchParams): BodyFields {
  const names = new Set<string>();
  const duplicates = new Set<string>();
  for (const name of form.keys()) (names.has(name) ? duplicates : names).add(name);
  return { values: Object.fromEntries(form), duplicates };
}
/** A string or a structural character. Well-formed JSON has no other use of these characters. */
const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;

/** The properties of a JSON text that `JSON.parse` drops. */
export interface JsonStructure {
  /** Levels of nested objects and arrays. */
  depth: number;
  /** Duplicate member names of the outermost object. */
  duplicateMembers: Set<string>;
  /** Whether an object at any level has two members of one name. */
  hasDuplicateMembers: boolean;
}

/** Analyzes a well-formed JSON text. The scan is iterative, so no depth exhausts the stack. */
export function analyzeJson(text: string): JsonStructure {
  const structure: JsonStructure = { depth: 0, duplicateMembers: new Set(), hasDuplicateMembers: false };
  const openMembers: Set<string>[] = [];
  let lastString = '';
  for (const token of text.match(JSON_TOKEN) ?? []) {
    if (token === '{' || token === '[') structure.depth = Math.max(structure.depth, openMembers.push(new Set()));
    else if (token === '}' || token === ']') openMembers.pop();
    else if (token === ':') recordMember(structure, openMembers, parseString(lastString));
    else lastString = token;
  }
  return structure;
}

/** Skips the parser for a string without escapes, which is the common case. */
function parseString(token: string): string {
  return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
}

function recordMember(structure: JsonStructure, openMembers: Set<string>[], name: string): void {
  const names = openMembers.at(-1)!;
  if (names.has(name)) {
    structure.hasDuplicateMembers = true;
    if (openMembers.length === 1) structure.duplicateMembers.add(name);
  }
  names.add(name);
}
