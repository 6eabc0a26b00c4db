import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { shapeOf } from '../http/json.js';
import { readText, UnreadableBody } from '../http/read-text.js';
import { OAuthError } from './oauth-error.js';

/** The fields of a request; one that is absent has no value. */
export type FieldsOf<Names extends readonly string[]> = { [Name in Names[number]]?: string };

/**
 * The fields of these names from the body of a request to the token or revoke endpoint: JSON, or a form as every stock
 * client sends (RFC 6749 §4.1.3). Each is one string, sent once; without a value it counts as missing (RFC 6749 §3.2), and
 * so does `null`. What other fields hold does not matter.
 */
export const Fields = createParamDecorator(async (names: readonly string[], context: ExecutionContext) => {
  const http = context.switchToHttp();
  const { entries, repeated } = await readEntries(http.getRequest<Request>(), http.getResponse<Response>());
  const fields: Record<string, string> = {};
  for (const [name, value] of entries) {
    if (!names.includes(name)) continue;
    if (repeated.has(name) || (typeof value !== 'string' && value !== null)) throw notOneString(name);
    if (value) fields[name] = value;
  }
  return fields;
});

interface Entries {
  entries: [name: string, value: unknown][];
  /** Names that are there more than once. */
  repeated: Set<string>;
}

async function readEntries(request: Request, response: Response): Promise<Entries> {
  const text = await readText(request, response).catch((error: unknown) => {
    throw error instanceof UnreadableBody ? unreadable(error.status) : error;
  });
  if (text === '') return { entries: [], repeated: new Set() };
  if (request.is(['json', '+json'])) return entriesOfJson(text);
  if (request.is('urlencoded')) return entriesOfForm(text);
  throw unreadable(400);
}

function entriesOfJson(text: string): Entries {
  const body = parse(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw unreadable(400);
  return { entries: Object.entries(body), repeated: shapeOf(text).repeated };
}

function entriesOfForm(text: string): Entries {
  const entries = [...new URLSearchParams(text)];
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name] of entries) (seen.has(name) ? repeated : seen).add(name);
  return { entries, repeated };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(400);
  }
}

function notOneString(name: string): OAuthError {
  return new OAuthError('invalid_request', `The field ${name} must be one string, sent once.`);
}

/** For a body that is neither JSON nor a form, or too large. */
export function unreadable(status: number): OAuthError {
  if (status === 413) return new OAuthError('invalid_request', 'The body is larger than 64 KiB.', 413);
  return new OAuthError(
    'invalid_request',
    'The body must be a JSON object, or a form, in UTF-8, with its Content-Type.',
  );
}
