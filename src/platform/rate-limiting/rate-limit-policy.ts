/**
 * A quota: the number of requests that one key may make in a fixed window. The window starts with
 * the first request.
 */
export interface RateLimitPolicy {
  /** The policy's name in the `RateLimit` and `RateLimit-Policy` headers. */
  name: string;
  /** Requests per window. */
  limit: number;
  windowSeconds: number;
}
