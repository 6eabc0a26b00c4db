import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Settings } from '../config/settings.js';
import type { AuthenticatedRequest } from './authenticated-request.js';
import { computeEntityTag } from './entity-tag.js';
import { buildNextPageUrl } from './request-url.js';

/** Time for which any cache may store a response to a request without a token. */
const PUBLIC_MAX_AGE_SECONDS = 60;

/**
 * Sets the caching headers and the entity tag of a response, for conditional requests (304), and
 * the link to the next page of a list: `Link: rel="next"` (RFC 8288).
 */
@Injectable()
export class ApiHeadersInterceptor implements NestInterceptor {
  constructor(private readonly settings: Settings) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    const response = http.getResponse<Response>();
    response.set({ 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Accept, Origin' });
    return next.handle().pipe(
      map((body: unknown) => {
        if (!['GET', 'HEAD'].includes(request.method) || typeof body !== 'object' || body === null) return body;
        if (!request.hasVerifiedToken) response.set('Cache-Control', `public, max-age=${PUBLIC_MAX_AGE_SECONDS}`);
        response.set('ETag', computeEntityTag(body));
        // `fetch` adds `no-cache` to conditional requests. It is meant for caches, but makes
        // Express respond 200.
        delete request.headers['cache-control'];
        const cursor = (body as { page?: { nextCursor?: string | null } }).page?.nextCursor;
        if (cursor) response.set('Link', `<${buildNextPageUrl(this.settings.BASE_URL, request, cursor)}>; rel="next"`);
        return body;
      }),
    );
  }
}
