import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import { Settings } from '../config/settings.js';
import type { SeeOther } from '../http/see-other.js';
import { answer } from './answer.js';
import { type PageRequest, uiOf } from './ui.js';
import type { View } from './view.js';

/** Answers what a page's handler returns: a page, or where to go on to. */
@Injectable()
export class PageAnswers implements NestInterceptor {
  constructor(private readonly settings: Settings) {}

  intercept(context: ExecutionContext, next: CallHandler<View | SeeOther>): Observable<string> {
    const http = context.switchToHttp();
    const request = http.getRequest<PageRequest>();
    const ui = (request.ui = uiOf(request, this.settings.basePath));
    return next.handle().pipe(map((result) => answer(http.getResponse<Response>(), ui, result)));
  }
}
