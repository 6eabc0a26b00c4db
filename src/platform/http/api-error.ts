import { HttpException } from '@nestjs/common';

/** One thing that is wrong with a request, and where. */
export interface ErrorDetail {
  /** Dotted, as in `changes.title`. */
  path: string;
  code: string;
  message: string;
}

interface ApiErrorOptions {
  /** Why a person was refused, in snake_case. */
  reason?: string;
  details?: unknown[];
  headers?: Record<string, string>;
}

/** An error of the API: a sentence for a person to read, and a code for an app. */
export class ApiError extends HttpException {
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string | undefined,
    sentence: string,
    { headers = {}, ...more }: ApiErrorOptions = {},
  ) {
    super({ error: sentence, ...(code && { code }), ...more }, status);
    this.message = sentence;
    this.headers = headers;
  }
}

/** The same for what does not exist and for what the caller may not know of. */
export function notFound(what: string): ApiError {
  return new ApiError(404, 'not_found', `There is no such ${what}.`);
}

/** For what was deleted, and may be looked up no more. */
export function gone(what: string): ApiError {
  return new ApiError(410, 'gone', `This ${what} was deleted.`);
}
