/**
 * A quota: the number of requests that one key may make in a fixed window. The window starts with
 * the first request. The limit may differ between keys and change while a window is open.
 */
export interface RateLimitPolicy {
  /** Identifies the windows; it is also in the `RateLimit` and `RateLimit-Policy` headers. */
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

/** The attempts of one quota in a fixed window. */
export interface FixedWindow {
  count: number;
  /** Milliseconds since 1970. */
  endsAt: number;
}

/** The result of an attempt. */
export interface AttemptResult {
  /** Whether the attempt was counted. It is not if the window of a quota was full. */
  isCounted: boolean;
  /** The window of each quota after the attempt, in the order of the quotas. */
  windows: FixedWindow[];
}

/** Returns a window that starts now. */
export function createWindow({ policy }: Quota, now = Date.now()): FixedWindow {
  return { count: 0, endsAt: now + policy.windowSeconds * 1000 };
}

/** Counts an attempt in the windows of its quotas, or in none of them if one is full. */
export function countAttempt(quotas: Quota[], windows: FixedWindow[]): AttemptResult {
  const isCounted = quotas.every(({ policy }, index) => windows[index]!.count < policy.limit);
  if (isCounted) for (const window of windows) window.count++;
  return { isCounted, windows: windows.map((window) => ({ ...window })) };
}
