import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Settings } from '../config/settings.js';
import type { Redirect } from '../http/redirect.js';
import { renderPageResponse } from './page-response.js';
import { type PageRequest, createViewContext } from './view-context.js';
import type { View } from './view.js';

/** Answers what a page's handler returns: a page, or where to go on to. */
@Injectable()
export class PageResponseInterceptor implements NestInterceptor {
  constructor(private readonly settings: Settings) {}

  intercept(context: ExecutionContext, next: CallHandler<View | Redirect>): Observable<string> {
    const http = context.switchToHttp();
    const request = http.getRequest<PageRequest>();
    const ui = (request.viewContext = createViewContext(request, this.settings.basePath));
    return next.handle().pipe(map((result) => renderPageResponse(http.getResponse<Response>(), ui, result)));
  }
}
