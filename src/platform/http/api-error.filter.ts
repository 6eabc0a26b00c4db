import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { isDatabaseUnavailable } from '../database/database-unavailable.js';
import { ApiError } from './api-error.js';

/** Seconds after which a client may try again when the database is away. */
export const DATABASE_RETRY_AFTER_SECONDS = '2';

/** Answers every error of the API in one shape: `{ error, code?, reason?, details? }`. What is ours to mend is logged. */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Api');

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const answer = this.toApiError(error);
    if (response.headersSent) return;
    response.status(answer.getStatus()).set(answer.headers).json(answer.getResponse());
  }

  private toApiError(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof HttpException && error.getStatus() < 500) return toFrameworkError(error);
    this.logger.error(error instanceof Error ? (error.stack ?? error.message) : error);
    return isDatabaseUnavailable(error) ? temporarilyUnavailable() : internalError();
  }
}

export function internalError(): ApiError {
  return new ApiError(500, 'internal_error', 'Something went wrong on our side.');
}

export function temporarilyUnavailable(): ApiError {
  return new ApiError(503, 'temporarily_unavailable', 'The service cannot reach its database. Try again soon.', {
    headers: { 'Retry-After': DATABASE_RETRY_AFTER_SECONDS },
  });
}

/** An error that Nest or Express found before any of our code. */
function toFrameworkError(error: HttpException): ApiError {
  if (error.getStatus() === 404) return new ApiError(404, 'not_found', 'There is nothing at this address.');
  return badRequest(error.getStatus());
}

/** For what is no request by HTTP, as where an address has a `%` that stands for nothing. */
export function badRequest(status = 400): ApiError {
  return new ApiError(status, 'bad_request', 'This request cannot be read.');
}
