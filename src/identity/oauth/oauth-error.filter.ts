import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { isDatabaseUnavailable } from '../../platform/database/database-unavailable.js';
import { DATABASE_RETRY_AFTER_SECONDS } from '../../platform/http/api-error.filter.js';
import { OAuthError } from './oauth-error.js';

/** No answer of these endpoints may be kept by a cache (RFC 6749 §5.1). */
export const NO_STORE_HEADERS = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** Answers the errors of the token and revoke endpoints: `{ error, error_description }` (RFC 6749 §5.2). */
@Catch()
export class OAuthErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('OAuth');

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    if (response.headersSent) return;
    const { status, headers, code, description } = error instanceof OAuthError ? error : this.toServerError(error);
    const body = { error: code, error_description: description };
    response
      .status(status)
      .set({ ...NO_STORE_HEADERS, ...headers })
      .json(body);
  }

  private toServerError(error: unknown): OAuthError {
    this.logger.error(error instanceof Error ? (error.stack ?? error.message) : error);
    return isDatabaseUnavailable(error) ? createTemporarilyUnavailableError() : createServerError();
  }
}

export function createServerError(): OAuthError {
  return new OAuthError('server_error', 'Something went wrong on our side.', 500);
}

export function createTemporarilyUnavailableError(): OAuthError {
  return new OAuthError('temporarily_unavailable', 'The service cannot reach its database. Try again soon.', 503, {
    'Retry-After': DATABASE_RETRY_AFTER_SECONDS,
  });
}
