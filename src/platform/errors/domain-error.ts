/** The kind of rule that a request breaks. Each interface maps it, as HTTP to a status. */
export type DomainErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'unprocessable'
  | 'rate_limited'
  | 'unavailable';

interface DomainErrorMembers {
  /** Why the rule applies, in snake_case: why the person may not do this, for example. */
  reason?: string;
  /** Members, fields or records that broke the rule. */
  details?: object[];
  /** Seconds until the same request can succeed. */
  retryAfterSeconds?: number;
  /** State of the exceeded rate limit, which includes the time to retry. */
  rateLimitHeaders?: Record<string, string>;
}

/**
 * A request that breaks a rule of the product. Services, stores and rules throw it without knowing
 * the interface; the exception filters and the command line map it to a response.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly reason: string | undefined;
  readonly details: object[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly rateLimitHeaders: Record<string, string>;

  /**
   * @param code names the rule for programs, in snake_case
   * @param message says for developers which rule the request breaks, and how to fix it
   */
  constructor(
    readonly kind: DomainErrorKind,
    readonly code: string,
    message: string,
    { reason, details, retryAfterSeconds, rateLimitHeaders = {} }: DomainErrorMembers = {},
  ) {
    super(message);
    this.reason = reason;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
    this.rateLimitHeaders = rateLimitHeaders;
  }
}

/**
 * Creates the error for a missing or malformed value of a command, which needs no database to be
 * found. The command line ends with the exit code for wrong usage.
 * @param message names the option first
 */
export function createUsageError(message: string): DomainError {
  return new DomainError('invalid', 'wrong_usage', message);
}
