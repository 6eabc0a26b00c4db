import type { Request } from 'express';

/** A request as a guard leaves it. */
export interface AuthenticatedRequest extends Request {
  /** Whether the response depends on the caller, because a guard verified an access token. */
  hasVerifiedToken?: boolean;
  /** The app that the access token or the client authentication names. */
  clientId?: string;
}
