import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Settings } from '../config/settings.js';
import type { Redirect } from '../http/redirect.js';
import type { Download } from './download.js';
import { renderPageResponse } from './page-response.js';
import { type PageRequest, createViewContext } from './view-context.js';
import type { View } from './view.js';

/** Responds with the View, Redirect or Download that a page handler returns. */
@Injectable()
export class PageResponseInterceptor implements NestInterceptor {
  constructor(private readonly settings: Settings) {}

  intercept(context: ExecutionContext, next: CallHandler<View | Redirect | Download>): Observable<string> {
    const http = context.switchToHttp();
    const request = http.getRequest<PageRequest>();
    const viewContext = (request.viewContext = createViewContext(request, this.settings));
    const response = http.getResponse<Response>();
    return next.handle().pipe(map((result) => renderPageResponse(response, viewContext, result)));
  }
}
