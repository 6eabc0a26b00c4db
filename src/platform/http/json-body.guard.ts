import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/internal';
import type { Request, Response } from 'express';
import { ApiError } from './api-error.js';
import { createInvalidRequestError } from './api-validation.pipe.js';
import { readJson, UnreadableBodyError } from './body-reader.js';
import { hasRouteParameter } from './route-parameters.js';
import { createUnknownFieldDetail } from './validation-details.js';

/** Limit of nesting levels in a body: more than any DTO needs, and too few to exhaust the stack. */
const MAX_DEPTH = 32;

const ERRORS_BY_STATUS: Record<number, [code: string, message: string]> = {
  413: ['too_large', 'The body must be at most 64 KiB.'],
  415: ['unsupported_media_type', 'The body must be JSON in UTF-8. Send the header Content-Type: application/json.'],
};

/**
 * Reads the JSON body of a POST request for `@Body()`, after the global guards. An empty body
 * counts as `{}`. Rejects unknown members on routes without a body DTO, which rejects its own.
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  /** @throws ApiError 400, 413 or 415 */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    return context.switchToHttp().getRequest<Request>().method !== 'POST' || readBody(context);
  }
}

async function readBody(context: ExecutionContext): Promise<boolean> {
  const http = context.switchToHttp();
  const request = http.getRequest<Request>();
  const body = await readStrictJson(request, http.getResponse<Response>());
  const [stray] = Object.keys(body);
  if (stray !== undefined && !hasRouteParameter(context, RouteParamtypes.BODY)) {
    throw createInvalidRequestError([createUnknownFieldDetail(stray)]);
  }
  request.body = body;
  return true;
}

async function readStrictJson(request: Request, response: Response): Promise<Record<string, unknown>> {
  const body = await readJson(request, response).catch((error: unknown) => {
    throw error instanceof UnreadableBodyError ? createInvalidBodyError(error.status) : error;
  });
  if (body.depth > MAX_DEPTH || body.hasDuplicateMembers) throw createInvalidBodyError(400);
  return body.values;
}

/**
 * Creates the error for a body that is not one JSON object in UTF-8 of at most 64 KiB: 400, 413 or
 * 415.
 */
export function createInvalidBodyError(status: number): ApiError {
  const [code, message] = ERRORS_BY_STATUS[status] ?? [
    'invalid_json',
    `The body must be a valid JSON object. Each member can occur once, and nesting is limited to ${MAX_DEPTH} levels.`,
  ];
  return new ApiError(status, code, message);
}
