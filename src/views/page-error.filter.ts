import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  ForbiddenException,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { Response } from 'express';
import { Settings } from '../config/settings.js';
import { isDatabaseAway } from '../database/database-away.js';
import { RETRY_AFTER } from '../http/api-error.filter.js';
import { UnreadableBody } from '../http/read-text.js';
import { SeeOther } from '../http/see-other.js';
import { answer } from './answer.js';
import { errorPage } from './error.page.js';
import { PageError } from './page-error.js';
import { type PageRequest, uiOf } from './ui.js';

/** Answers the errors of pages by pages. What is ours to mend is logged. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Pages');

  constructor(private readonly settings: Settings) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    if (response.headersSent) return;
    const request = http.getRequest<PageRequest>();
    const ui = request.ui ?? uiOf(request, this.settings.basePath);
    const result = error instanceof SeeOther ? error : errorPage(ui, this.pageErrorOf(error));
    response.end(answer(response, ui, result));
  }

  private pageErrorOf(error: unknown): PageError {
    if (error instanceof PageError) return error;
    if (error instanceof UnreadableBody) return new PageError(error.status, 'unreadable');
    if (error instanceof NotFoundException) return new PageError(404, 'notFound');
    if (error instanceof ForbiddenException) return new PageError(403, 'crossSite'); // Nest's own refusal of forms
    if (error instanceof HttpException && error.getStatus() < 500)
      return new PageError(error.getStatus(), 'unreadable');
    this.logger.error(error instanceof Error ? (error.stack ?? error.message) : error);
    if (!isDatabaseAway(error)) return new PageError(500, 'ours');
    return new PageError(503, 'away', undefined, { 'Retry-After': RETRY_AFTER });
  }
}
