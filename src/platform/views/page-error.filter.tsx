import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  ForbiddenException,
  HttpException,
  NotFoundException,
} from '@nestjs/common';
import type { Response } from 'express';
import type { VNode } from 'preact';
import { Settings } from '../config/settings.js';
import { DomainError } from '../errors/domain-error.js';
import { UnreadableBodyError } from '../http/body-reader.js';
import { getRequestId } from '../http/request.middleware.js';
import { interpolate } from '../i18n/interpolate.js';
import { MethodNotAllowedError } from '../http/method-not-allowed.js';
import { Redirect } from '../http/redirect.js';
import { DATABASE_RETRY_AFTER_SECONDS, logServerError } from '../http/server-error.js';
import { EventLogger } from '../logging/event-logger.js';
import { renderPageResponse } from './page-response.interceptor.js';
import { ErrorPagesRegistry, PageError } from './error-pages.js';
import { createViewContext, type PageRequest, type ViewContext } from './view-context.js';
import { Mural } from './mural.js';
import type { View } from './view.js';

/** Responds to an error of a page with an error page. Unexpected errors are logged. */
@Catch()
export class PageErrorFilter implements ExceptionFilter {
  private readonly logger = new EventLogger('Pages');

  constructor(
    private readonly settings: Settings,
    private readonly errorPages: ErrorPagesRegistry,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    if (response.headersSent) return;
    const request = http.getRequest<PageRequest>();
    const viewContext = request.viewContext ?? createViewContext(request, this.settings);
    const details = { request, requestId: getRequestId(response) };
    const result = error instanceof Redirect ? error : renderErrorPage(viewContext, this.toPageError(error), details);
    response.end(renderPageResponse(response, viewContext, result));
  }

  private toPageError(error: unknown): PageError {
    if (error instanceof PageError) return error;
    if (error instanceof DomainError) return this.errorPages.toPageError(error);
    if (error instanceof UnreadableBodyError) return new PageError(error.status, 'invalidRequest');
    if (error instanceof NotFoundException) return new PageError(404, 'notFound');
    if (error instanceof MethodNotAllowedError) {
      return new PageError(405, 'methodNotAllowed', undefined, { Allow: error.allow });
    }
    // thrown by Nest's CSRF protection
    if (error instanceof ForbiddenException) return new PageError(403, 'crossSite');
    if (error instanceof HttpException && error.getStatus() < 500)
      return new PageError(error.getStatus(), 'invalidRequest');
    if (logServerError(this.logger, error) === 'internal') return new PageError(500, 'internalError');
    return new PageError(503, 'databaseUnavailable', undefined, { 'Retry-After': DATABASE_RETRY_AFTER_SECONDS });
  }
}

interface ErrorDetails {
  request: PageRequest;
  requestId: string;
}

/** Renders the error page: the error message, the next step, and ids to ask about. */
function renderErrorPage(
  viewContext: ViewContext,
  { messageKey, helpKey, status, headers }: PageError,
  { request, requestId }: ErrorDetails,
): View {
  const { messages, basePath } = viewContext;
  const { errors, developer } = messages;
  return {
    title: messageKey === 'notFound' ? errors.notFoundTitle : errors.title,
    status,
    headers,
    banner: <Mural viewContext={viewContext} />,
    body: (
      <section class="card">
        <p>{errors[messageKey]}</p>
        {helpKey && <p>{errors[helpKey]}</p>}
        {status === 503 && <TryAgain viewContext={viewContext} request={request} />}
        <p>
          <a href={`${basePath}/`}>{errors.home}</a>
        </p>
        {/^\/api\/oauth\//.test(viewContext.path) && (
          <p class="secondary">
            {errors.forDeveloper} <a href={`${basePath}/developer/apps`}>{developer.title}</a>
          </p>
        )}
        {status !== 404 && <p class="secondary">{interpolate(errors.requestId, { id: requestId })}</p>}
      </section>
    ),
  };
}

/**
 * Repeats the request: a link, or a form with the same fields. Secrets must be entered again.
 * Nothing for a form that was not read.
 */
function TryAgain({ viewContext, request }: { viewContext: ViewContext; request: PageRequest }): VNode | null {
  const { tryAgain } = viewContext.messages.errors;
  if (request.method === 'GET') {
    return (
      <p>
        <a class="button" href={request.originalUrl}>
          {tryAgain}
        </a>
      </p>
    );
  }
  if (!(request.body instanceof URLSearchParams)) return null;
  const fields = [...request.body].filter(([name]) => !/password|secret|credential/.test(name));
  return (
    <form method="post" action={request.originalUrl} class="actions">
      {fields.map(([name, value], index) => (
        <input key={index} type="hidden" name={name} value={value} />
      ))}
      <button type="submit">{tryAgain}</button>
    </form>
  );
}
