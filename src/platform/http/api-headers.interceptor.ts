import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Settings } from '../config/settings.js';
import { computeEntityTag } from './entity-tag.js';
import { buildNextPageUrl } from './request-url.js';

/** Seconds for which anyone may keep an answer that needed no token. */
const PUBLIC_MAX_AGE_SECONDS = 60;

/**
 * Tells caches for whom an answer is and by which tag it can be asked for again (304), and leads from a page of a list to
 * the next by `Link: rel="next"` (RFC 8288), for clients that follow links.
 */
@Injectable()
export class ApiHeadersInterceptor implements NestInterceptor {
  constructor(private readonly settings: Settings) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { caller?: unknown }>();
    const response = http.getResponse<Response>();
    response.set({ 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Accept, Origin' });
    return next.handle().pipe(
      map((body: unknown) => {
        if (!['GET', 'HEAD'].includes(request.method) || typeof body !== 'object' || body === null) return body;
        if (!request.caller) response.set('Cache-Control', `public, max-age=${PUBLIC_MAX_AGE_SECONDS}`);
        response.set('ETag', computeEntityTag(body));
        // `fetch` adds no-cache wherever a program asks by a tag. It speaks to caches; Express would answer 200 for it.
        delete request.headers['cache-control'];
        const cursor = (body as { page?: { nextCursor?: string | null } }).page?.nextCursor;
        if (cursor) response.set('Link', `<${buildNextPageUrl(this.settings.BASE_URL, request, cursor)}>; rel="next"`);
        return body;
      }),
    );
  }
}
