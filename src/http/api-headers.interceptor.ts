import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Settings } from '../config/settings.js';

/**
 * Tells caches that an answer is for one caller, and leads from a page of a list to the next by `Link: rel="next"`
 * (RFC 8288), for clients that follow links.
 */
@Injectable()
export class ApiHeaders implements NestInterceptor {
  constructor(private readonly settings: Settings) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    response.set({ 'Cache-Control': 'private, no-cache', Vary: 'Authorization' });
    return next.handle().pipe(
      map((body: unknown) => {
        const cursor = (body as { page?: { nextCursor?: string | null } } | undefined)?.page?.nextCursor;
        if (cursor && request.method === 'GET')
          response.set('Link', `<${this.addressOf(request, cursor)}>; rel="next"`);
        return body;
      }),
    );
  }

  private addressOf({ originalUrl }: Request, cursor: string): string {
    const url = new URL(this.settings.BASE_URL + originalUrl);
    url.searchParams.set('cursor', cursor);
    return url.href;
  }
}
