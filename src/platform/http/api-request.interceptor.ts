import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { Settings } from '../config/settings.js';
import { ApiError } from './api-error.js';
import { createInvalidRequestError } from '../errors/request-errors.js';
import type { AuthenticatedRequest } from './authenticated-request.js';
import { readJson, UnreadableBodyError } from './body-reader.js';
import { computeEntityTag } from './entity-tag.js';
import { RenderedJson, type RenderingResponse, renderJson } from './rendered-json.js';
import { buildNextPageUrl } from './request-url.js';
import { createUnknownMemberDetail } from './validation-details.js';

/** Time for which any cache may store a response to a request without a token. */
const PUBLIC_CACHE_CONTROL = 'public, max-age=60';

/** Limit of nesting levels in a body: more than any DTO needs, and too few to exhaust the stack. */
const MAX_DEPTH = 32;

const ERRORS_BY_STATUS: Record<number, [code: string, message: string]> = {
  413: ['too_large', 'The body must be at most 64 KiB.'],
  415: ['unsupported_media_type', 'The body must be JSON in UTF-8. Send the header Content-Type: application/json.'],
};

/**
 * Prepares a request of the resource APIs after the guards. It sets the caching headers, and reads
 * the JSON body of a POST request for `@Body()`; an empty body counts as `{}`. It rejects unknown
 * members of queries and bodies on routes without a DTO for them; a DTO rejects its own.
 */
@Injectable()
export class ApiRequestInterceptor implements NestInterceptor {
  private readonly licenseLink: string | undefined;

  constructor(private readonly settings: Settings) {
    this.licenseLink = settings.licenseLink;
  }

  /** @throws ApiError 400, 413 or 415 */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    const response = http.getResponse<RenderingResponse>();
    response.setHeader('Cache-Control', 'private, no-cache');
    response.setHeader('Vary', 'Authorization, Accept, Origin');
    if (this.licenseLink !== undefined && isLicensed(context.getClass())) response.setHeader('Link', this.licenseLink);
    if (request.method === 'GET' || request.method === 'HEAD')
      response.renderJson = (body) => this.renderJson(body, request, response);
    if (request.url.includes('?')) rejectUnknownMembers(request.query, context, RouteParamtypes.QUERY);
    return request.method === 'POST' ? readBody(context).then(() => next.handle()) : next.handle();
  }

  /**
   * Renders the body of a successful response. It sets the entity tag for conditional requests
   * (304), and the link to the next page of a list: `Link: rel="next"` (RFC 8288).
   */
  private renderJson(body: object, request: AuthenticatedRequest, response: RenderingResponse): RenderedJson {
    const rendered = renderJson(body);
    response.setHeader('ETag', computeEntityTag(body, rendered));
    // `fetch` adds `no-cache` to conditional requests. It is meant for caches, but makes Express
    // respond 200.
    delete request.headers['cache-control'];
    if (response.notModifiedError && request.fresh) {
      response.removeHeader('ETag');
      throw response.notModifiedError;
    }
    if (!request.hasVerifiedToken) response.setHeader('Cache-Control', PUBLIC_CACHE_CONTROL);
    const cursor = (body as { page?: { nextCursor?: string | null } }).page?.nextCursor;
    if (cursor) setNextPageLink(response, buildNextPageUrl(this.settings.BASE_URL, request, cursor));
    return rendered;
  }
}

/** Declares that the responses of a controller contain data under `DATA_LICENSE`. */
export const Licensed = Reflector.createDecorator<true>();

/** Whether the responses of a controller contain data under `DATA_LICENSE`. */
export function isLicensed(controller: Type): boolean {
  return Reflect.getMetadata(Licensed.KEY, controller) === true;
}

/** Adds the link to the next page to the header `Link`, before the link to the license. */
export function setNextPageLink(response: Response, url: string): void {
  const others = response.getHeader('Link');
  response.setHeader('Link', `<${url}>; rel="next"${others === undefined ? '' : `, ${String(others)}`}`);
}

async function readBody(context: ExecutionContext): Promise<void> {
  const http = context.switchToHttp();
  const request = http.getRequest<Request>();
  const body = await readStrictJson(request, http.getResponse<Response>());
  rejectUnknownMembers(body, context, RouteParamtypes.BODY);
  request.body = body;
}

/**
 * Reads a JSON object that has no duplicate members.
 * @throws ApiError 400, 413 or 415
 */
export async function readStrictJson(request: Request, response: Response): Promise<Record<string, unknown>> {
  const body = await readJson(request, response).catch((error: unknown) => {
    throw error instanceof UnreadableBodyError ? createInvalidBodyError(error.status) : error;
  });
  if (body.depth > MAX_DEPTH || body.hasDuplicateMembers) throw createInvalidBodyError(400);
  return body.values;
}

/** Rejects each member if the handler has no parameter of the type, such as `@Query()`. */
function rejectUnknownMembers(values: object, context: ExecutionContext, type: RouteParamtypes): void {
  const [unknown] = Object.keys(values);
  if (unknown === undefined) return;
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) as object;
  if (Object.keys(parameters ?? {}).some((key) => key.startsWith(`${type}:`))) return;
  const kind = type === RouteParamtypes.QUERY ? 'parameter' : 'field';
  throw createInvalidRequestError([createUnknownMemberDetail(kind, unknown)]);
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
