import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { shapeOf } from '../http/json.js';
import { readText, UnreadableBody } from '../http/read-text.js';
import { OAuthError } from './oauth-error.js';

/** What stands for a field that is no string, or is there twice: whoever needs the field will refuse it. */
const NOT_ONE_STRING = false;

type Fields = Record<string, string | null | typeof NOT_ONE_STRING>;

/**
 * Reads the body of the token and revoke endpoints: JSON, or a form as every stock client sends (RFC 6749 §4.1.3).
 * What an unknown field holds does not matter (RFC 6749 §3.2), so each is only told to be one string or not. No answer of
 * these endpoints may be kept by a cache (RFC 6749 §5.1).
 */
@Injectable()
export class OAuthBody implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
    if (request.method === 'POST') request.body = await readFields(request, response);
    return next.handle();
  }
}

async function readFields(request: Request, response: Response): Promise<Fields> {
  const text = await readText(request, response).catch((error: unknown) => {
    throw error instanceof UnreadableBody ? unreadable(error.status) : error;
  });
  if (text === '') return {};
  if (request.is(['json', '+json'])) return fieldsOfJson(text);
  if (request.is('urlencoded')) return fieldsOfForm(text);
  throw unreadable(400);
}

function fieldsOfJson(text: string): Fields {
  const body = parse(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw unreadable(400);
  const { repeated } = shapeOf(text);
  return fields(Object.entries(body), repeated);
}

function fieldsOfForm(text: string): Fields {
  const entries = [...new URLSearchParams(text)];
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const [name] of entries) (seen.has(name) ? repeated : seen).add(name);
  return fields(entries, repeated);
}

function fields(entries: [string, unknown][], repeated: Set<string>): Fields {
  const isField = (value: unknown): value is string | null => typeof value === 'string' || value === null;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isField(value) && !repeated.has(name) ? value : NOT_ONE_STRING]),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(400);
  }
}

function unreadable(status: number): OAuthError {
  if (status === 413) return new OAuthError('invalid_request', 'The body is larger than 64 KiB.', 413);
  return new OAuthError(
    'invalid_request',
    'The body must be a JSON object, or a form, in UTF-8, with its Content-Type.',
  );
}
