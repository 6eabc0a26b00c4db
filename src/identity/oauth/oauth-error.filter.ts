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
import type { AppRequest, OAuthRequest } from './app-request.guard.js';
import type { OAuthErrorResponse } from './token.dto.js';
import { NO_STORE_HEADERS, OAuthError, type OAuthErrorCode, OAuthHttpError } from './oauth-error.js';
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
    const { status, headers, body } = toOAuthResponse(this.toOAuthError(answered));
    response
      .status(status)
      .set({ ...NO_STORE_HEADERS, ...headers })
      .json(body);
  }

  /** @returns the error of the response: the same one, or a 429 */
  private async recordFailure(call: AppRequest, error: unknown): Promise<unknown> {
    call.error = 'server_error';
    if (!(error instanceof OAuthError)) return error;
    this.recordFailedCall(call, error);
    const answered = await this.limitFailures(call, error);
    call.error = answered.code;
    return answered;
  }

  /** Counts a failed request, unless the service is the cause. */
  private async limitFailures({ client }: AppRequest, error: OAuthError): Promise<OAuthError> {
    const { status } = toOAuthResponse(error);
    if (status === 429 || status >= 500) return error;
    const appId = client?.id ?? error.members.appId;
    const { isExceeded, headers } = await this.rateLimiter.countFailure(appId, error.code === 'invalid_client');
    return isExceeded ? createOAuthRateLimitedError('Too many failed requests.', headers) : error;
  }

  private recordFailedCall({ endpoint, client }: AppRequest, { code, description, members }: OAuthError): void {
    this.failedCalls.record(client?.id ?? members.appId, {
      endpoint: `POST /api/oauth/${endpoint}`,
      errorCode: code,
      reason: [description, members.detail].filter(Boolean).join(' '),
      ...members.violation,
    });
  }

  private toOAuthError(error: unknown): OAuthError {
    if (error instanceof OAuthError) return error;
    return logServerError(this.logger, error) === 'internal'
      ? createOAuthInternalError()
      : createOAuthUnavailableError();
  }
}

const STATUSES: Partial<Record<OAuthErrorCode, number>> = {
  invalid_client: 401,
  server_error: 500,
  temporarily_unavailable: 503,
};

const CHALLENGE_HEADERS = { 'WWW-Authenticate': 'Basic realm="street-art-map", charset="UTF-8"' };

/** Returns the response of an error (RFC 6749 §5.2). */
export function toOAuthResponse(error: OAuthError): {
  status: number;
  headers: Record<string, string>;
  body: OAuthErrorResponse;
} {
  const { code, description, members } = error;
  const body = { error: code, error_description: description };
  if (error instanceof OAuthHttpError) return { status: error.status, headers: error.headers, body };
  const { retryAfterSeconds } = members;
  const headers = {
    ...(code === 'invalid_client' && CHALLENGE_HEADERS),
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
  };
  return { status: STATUSES[code] ?? 400, headers, body };
}

/** Creates the 500 for an unexpected error. */
export function createOAuthInternalError(): OAuthError {
  return new OAuthError('server_error', INTERNAL_ERROR_MESSAGE);
}

/** Creates the 503 for an unavailable database. */
export function createOAuthUnavailableError(): OAuthError {
  return new OAuthError('temporarily_unavailable', DATABASE_UNAVAILABLE_MESSAGE, {
    retryAfterSeconds: Number(DATABASE_RETRY_AFTER_SECONDS),
  });
}

/**
 * Creates the 429 of an app's limit of token responses.
 * @param limit token responses per minute
 */
export function createTokenRateLimitedError(limit: number, headers: Record<string, string>): OAuthError {
  return createOAuthRateLimitedError(`Too many requests from this app: its limit is ${limit} per minute.`, headers);
}

/**
 * Creates the 429 of a limit.
 * @param headers the headers of the limit, with `Retry-After`
 */
export function createOAuthRateLimitedError(reason: string, headers: Record<string, string>): OAuthError {
  const description = `${reason} Try again in ${headers['Retry-After']} seconds.`;
  return new OAuthHttpError(429, 'temporarily_unavailable', description, headers);
}
