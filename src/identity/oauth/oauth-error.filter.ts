import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import {
  DATABASE_RETRY_AFTER_SECONDS,
  DATABASE_UNAVAILABLE_MESSAGE,
  INTERNAL_ERROR_MESSAGE,
  logServerError,
} from '../../platform/http/server-error.js';
import { EventLogger } from '../../platform/logging/event-logger.js';
import { FailedCallsService } from '../apps/failed-calls/failed-calls.service.js';
import type { AppRequest, OAuthRequest } from './authenticated-client.decorator.js';
import { NO_STORE_HEADERS, OAuthError } from './oauth-error.js';
import { TokenRateLimiterService } from './token-rate-limiter.service.js';

/**
 * Responds to the errors of the token and revoke endpoints with `{ error, error_description }` (RFC
 * 6749 §5.2). It records a failed call for the developer of the app and counts it against the
 * failure limit.
 */
@Catch()
export class OAuthErrorFilter implements ExceptionFilter {
  private readonly logger = new EventLogger('OAuth');

  constructor(
    private readonly failedCalls: FailedCallsService,
    private readonly rateLimiter: TokenRateLimiterService,
  ) {}

  /** Nest does not await the filter, so it handles its own errors. */
  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    const { appRequest } = http.getRequest<OAuthRequest>();
    const answered = appRequest
      ? await this.recordFailure(appRequest, error).catch((failure: unknown) => failure)
      : error;
    if (response.headersSent) return;
    const { status, headers, code, description } = this.toOAuthError(answered);
    response
      .status(status)
      .set({ ...NO_STORE_HEADERS, ...headers })
      .json({ error: code, error_description: description });
  }

  /** @returns the error of the response: the same one, or a 429 */
  private async recordFailure(call: AppRequest, error: unknown): Promise<unknown> {
    call.error = 'server_error';
    if (!(error instanceof OAuthError)) return error;
    this.recordFailedCall(call, error);
    const answered = await this.rateLimiter.consumeFailure(call, error);
    call.error = answered.code;
    return answered;
  }

  private recordFailedCall({ endpoint, client }: AppRequest, { code, description, diagnostics }: OAuthError): void {
    this.failedCalls.record(client?.id ?? diagnostics.appId, {
      endpoint: `POST /api/oauth/${endpoint}`,
      errorCode: code,
      reason: [description, diagnostics.detail].filter(Boolean).join(' '),
      ...diagnostics.violation,
    });
  }

  private toOAuthError(error: unknown): OAuthError {
    if (error instanceof OAuthError) return error;
    return logServerError(this.logger, error) === 'internal'
      ? createOAuthInternalError()
      : createOAuthUnavailableError();
  }
}

/** Creates the 500 for an unexpected error. */
export function createOAuthInternalError(): OAuthError {
  return new OAuthError('server_error', INTERNAL_ERROR_MESSAGE, 500);
}

/** Creates the 503 for an unavailable database. */
export function createOAuthUnavailableError(): OAuthError {
  return new OAuthError('temporarily_unavailable', DATABASE_UNAVAILABLE_MESSAGE, 503, {
    'Retry-After': DATABASE_RETRY_AFTER_SECONDS,
  });
}
