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
  /**
   * Set if the limit protects accounts, passwords, secrets or tokens. Without Redis, such a limit
   * is counted in the database, and any other limit in each process.
   */
  isSecurity?: true;
}

/** The quota of one key under a policy. */
export interface Quota<Policy extends RateLimitPolicy = RateLimitPolicy> {
  policy: Policy;
  key: string;
}
