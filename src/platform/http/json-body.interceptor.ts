import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { ApiError } from './api-error.js';
import { analyzeJson } from './json-structure.js';
import { readBodyText, UnreadableBodyError } from './body-reader.js';

/** How deep a body may be nested: far above any of ours, far below what exhausts the stack. */
const MAX_DEPTH = 32;

const ERRORS_BY_STATUS: Record<number, [code: string, sentence: string]> = {
  413: ['too_large', 'The body is larger than 64 KiB.'],
  415: ['unsupported_media_type', 'Send the body as JSON in UTF-8, with Content-Type: application/json.'],
};

/** Reads the JSON body of a write, once the guard has let the caller in. No body at all is an empty object. */
@Injectable()
export class JsonBodyInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (request.method === 'POST') request.body = await readJson(request, http.getResponse());
    return next.handle();
  }
}

async function readJson(request: Request, response: Response): Promise<unknown> {
  const text = await readBodyText(request, response).catch((error: unknown) => {
    throw error instanceof UnreadableBodyError ? unreadableBody(error.status) : error;
  });
  if (text === '') return {};
  if (!request.is(['json', '+json'])) throw unreadableBody(415);
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadableBody(400);
  return value;
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const { depth, hasDuplicateMembers } = analyzeJson(text);
    if (depth > MAX_DEPTH || hasDuplicateMembers) throw unreadableBody(400);
    return value;
  } catch (error) {
    throw error instanceof SyntaxError ? unreadableBody(400) : error;
  }
}

/** 400, 413 or 415, for a body that is not one JSON object in UTF-8 of at most 64 KiB. */
export function unreadableBody(status: number): ApiError {
  const [code, sentence] = ERRORS_BY_STATUS[status] ?? [
    'invalid_json',
    'The body must be one JSON object, with no member twice.',
  ];
  return new ApiError(status, code, sentence);
}
