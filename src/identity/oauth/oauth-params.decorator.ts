import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { analyzeJson } from '../../platform/http/json-structure.js';
import { readBodyText, UnreadableBodyError } from '../../platform/http/body-reader.js';
import { OAuthError } from './oauth-error.js';

/** The fields of a request; one that is absent has no value. */
export type OAuthParamValues<Names extends readonly string[]> = { [Name in Names[number]]?: string };

/**
 * The fields of these names from the body of a request to the token or revoke endpoint: JSON, or a form as every stock
 * client sends (RFC 6749 §4.1.3). Each is one string, sent once; without a value it counts as missing (RFC 6749 §3.2), and
 * so does `null`. What other fields hold does not matter.
 */
export const OAuthParams = createParamDecorator(async (names: readonly string[], context: ExecutionContext) => {
  const http = context.switchToHttp();
  const { entries, repeated } = await readBodyEntries(http.getRequest<Request>(), http.getResponse<Response>());
  const fields: Record<string, string> = {};
  for (const [name, value] of entries) {
    if (!names.includes(name)) continue;
    if (repeated.has(name) || (typeof value !== 'string' && value !== null)) throw createRepeatedParamError(name);
    if (value) fields[name] = value;
  }
  return fields;
});

interface BodyEntries {
  entries: [name: string, value: unknown][];
  /** Names that are there more than once. */
  repeated: Set<string>;
}

async function readBodyEntries(request: Request, response: Response): Promise<BodyEntries> {
  const text = await readBodyText(request, response).catch((error: unknown) => {
    throw error instanceof UnreadableBodyError ? createUnreadableBodyError(error.status) : error;
  });
  if (text === '') return { entries: [], repeated: new Set() };
  if (request.is(['json', '+json'])) return parseJsonEntries(text);
  if (request.is('urlencoded')) return parseFormEntries(text);
  throw createUnreadableBodyError(400);
}

function parseJsonEntries(text: string): BodyEntries {
  const body = parseJson(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw createUnreadableBodyError(400);
  return { entries: Object.entries(body), repeated: analyzeJson(text).duplicateMembers };
}

function parseFormEntries(text: string): BodyEntries {
  const entries = [...new URLSearchParams(text)];
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name] of entries) (seen.has(name) ? repeated : seen).add(name);
  return { entries, repeated };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw createUnreadableBodyError(400);
  }
}

function createRepeatedParamError(name: string): OAuthError {
  return new OAuthError('invalid_request', `The field ${name} must be one string, sent once.`);
}

/** For a body that is neither JSON nor a form, or too large. */
export function createUnreadableBodyError(status: number): OAuthError {
  if (status === 413) return new OAuthError('invalid_request', 'The body is larger than 64 KiB.', 413);
  return new OAuthError(
    'invalid_request',
    'The body must be a JSON object, or a form, in UTF-8, with its Content-Type.',
  );
}
