import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Response } from 'express';
import { EventLogger } from '../logging/event-logger.js';
import { ApiError } from './api-error.js';
import { MethodNotAllowedError } from './method-not-allowed.js';
import {
  DATABASE_RETRY_AFTER_SECONDS,
  DATABASE_UNAVAILABLE_MESSAGE,
  INTERNAL_ERROR_MESSAGE,
  logServerError,
} from './server-error.js';

/** Responds to every error of the resource APIs with `{ error, code?, reason?, details? }`. */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  private readonly logger = new EventLogger('Api');

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const apiError = this.toApiError(error);
    if (response.headersSent) return;
    response.status(apiError.getStatus()).set(apiError.headers).json(apiError.getResponse());
  }

  private toApiError(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof MethodNotAllowedError) return createMethodNotAllowedError(error);
    if (error instanceof HttpException && error.getStatus() < 500) return toFrameworkError(error);
    return logServerError(this.logger, error) === 'internal' ? createInternalError() : createApiUnavailableError();
  }
}

/** Creates the 500 for an unexpected error. */
export function createInternalError(): ApiError {
  return new ApiError(500, 'internal_error', INTERNAL_ERROR_MESSAGE);
}

/** Creates the 503 for an unavailable database. */
export function createApiUnavailableError(): ApiError {
  return new ApiError(503, 'temporarily_unavailable', DATABASE_UNAVAILABLE_MESSAGE, {
    headers: { 'Retry-After': DATABASE_RETRY_AFTER_SECONDS },
  });
}

/** Creates the 404 for a path that no route has. */
export function createUnknownPathError(): ApiError {
  return new ApiError(404, 'not_found', 'This path does not exist. The API reference at /docs lists all endpoints.');
}

/** Creates the 405 for a method that no route of the path has. */
export function createMethodNotAllowedError({ allow }: MethodNotAllowedError): ApiError {
  const message = `This path does not support this method. It supports ${allow}.`;
  return new ApiError(405, 'method_not_allowed', message, { headers: { Allow: allow } });
}

/** Maps a client error that Nest or Express threw before a controller ran. */
function toFrameworkError(error: HttpException): ApiError {
  if (error.getStatus() === 404) return createUnknownPathError();
  return createBadRequestError(error.getStatus());
}

/**
 * Creates the error for a malformed HTTP request, for example an invalid percent-encoding in the
 * path.
 */
export function createBadRequestError(status = 400): ApiError {
  return new ApiError(status, 'bad_request', 'The path is malformed. Send it as UTF-8 in percent-encoding.');
}
