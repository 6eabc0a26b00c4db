import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import type { AuthenticatedRequest } from './authenticated-request.js';
import { computeEntityTag } from './entity-tag.js';
import { JsonText, type JsonTextResponse, serializeJson } from './json-text.js';
import { buildNextPageUrl } from './request-url.js';

/** Time for which any cache may store a response to a request without a token. */
const PUBLIC_CACHE_CONTROL = 'public, max-age=60';

/**
 * Sets the caching headers and the entity tag of a response, for conditional requests (304), and
 * the link to the next page of a list: `Link: rel="next"` (RFC 8288).
 */
@Injectable()
export class ApiHeadersGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    const response = http.getResponse<JsonTextResponse>();
    response.setHeader('Cache-Control', 'private, no-cache');
    response.setHeader('Vary', 'Authorization, Accept, Origin');
    if (request.method === 'GET' || request.method === 'HEAD')
      response.toJsonText = (body) => this.toJsonText(body, request, response);
    return true;
  }

  /** Serializes the body of a successful response, and sets the headers that depend on it. */
  private toJsonText(body: object, request: AuthenticatedRequest, response: JsonTextResponse): JsonText {
    const text = serializeJson(body);
    if (!request.hasVerifiedToken) response.setHeader('Cache-Control', PUBLIC_CACHE_CONTROL);
    response.setHeader('ETag', computeEntityTag(body, text));
    // `fetch` adds `no-cache` to conditional requests. It is meant for caches, but makes Express
    // respond 200.
    delete request.headers['cache-control'];
    const cursor = (body as { page?: { nextCursor?: string | null } }).page?.nextCursor;
    if (cursor)
      response.setHeader('Link', `<${buildNextPageUrl(this.settings.BASE_URL, request, cursor)}>; rel="next"`);
    return new JsonText(text);
  }
}
