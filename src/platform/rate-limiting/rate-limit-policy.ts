/**
 * A quota: how many requests one key may make in a fixed window, which starts with the first of
 * them.
 */
export interface RateLimitPolicy {
  /** The policy's name in the `RateLimit` and `RateLimit-Policy` headers. */
  name: string;
  /** Requests per window. */
  limit: number;
  windowSeconds: number;
}
