import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { ApiError } from './api-error.js';
import { DATABASE_RETRY_AFTER_SECONDS, logServerError } from './server-error.js';

/** Responds to every error of the resource APIs with `{ error, code?, reason?, details? }`. */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Api');

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const apiError = this.toApiError(error);
    if (response.headersSent) return;
    response.status(apiError.getStatus()).set(apiError.headers).json(apiError.getResponse());
  }

  private toApiError(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof HttpException && error.getStatus() < 500) return toFrameworkError(error);
    return logServerError(this.logger, error) === 'internal'
      ? createInternalError()
      : createTemporarilyUnavailableError();
  }
}

/** Creates the 500 for an unexpected error. */
export function createInternalError(): ApiError {
  return new ApiError(500, 'internal_error', 'Something went wrong on our side.');
}

/** Creates the 503 for an unavailable database. */
export function createTemporarilyUnavailableError(): ApiError {
  return new ApiError(503, 'temporarily_unavailable', 'The service cannot reach its database. Try again soon.', {
    headers: { 'Retry-After': DATABASE_RETRY_AFTER_SECONDS },
  });
}

/** Maps a client error that Nest or Express threw before a controller ran. */
function toFrameworkError(error: HttpException): ApiError {
  if (error.getStatus() === 404) return new ApiError(404, 'not_found', 'There is nothing at this address.');
  return createBadRequestError(error.getStatus());
}

/**
 * Creates the error for a malformed HTTP request, for example an invalid percent-encoding in the
 * path.
 */
export function createBadRequestError(status = 400): ApiError {
  return new ApiError(status, 'bad_request', 'This request cannot be read.');
}
