/** How much of something may be done within a window of time, which begins with the first of it. */
export interface Policy {
  /** As answers name it in `RateLimit` and `RateLimit-Policy`. */
  name: string;
  most: number;
  /** Seconds. */
  window: number;
}

/** Calls of the API by an app for a person: of routes whose scope lets it look, and of those whose scope lets it change. */
export const READS: Policy = { name: 'reads', most: 120, window: 60 };
export const WRITES: Policy = { name: 'writes', most: 30, window: 60 };

/** Calls of the API without a token, from one network. */
export const ANONYMOUS: Policy = { name: 'anonymous', most: 60, window: 60 };

/** Requests of an app to the token endpoint, and to the revoke endpoint. */
export const TOKENS: Policy = { name: 'tokens', most: 3000, window: 60 };
export const REVOCATIONS: Policy = { name: 'revocations', most: 3000, window: 60 };

/** Requests there from one network that prove nothing: with a wrong secret, and with a code or token that is no good. */
export const WRONG_SECRETS: Policy = { name: 'wrong-secrets', most: 60, window: 60 };
export const WRONG_GRANTS: Policy = { name: 'wrong-grants', most: 600, window: 60 };

/** New accounts, from one network. */
export const SIGN_UPS: Policy = { name: 'sign-ups', most: 30, window: 3600 };
