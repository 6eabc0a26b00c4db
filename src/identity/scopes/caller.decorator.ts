import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from './scopes.js';

/** The app that calls, the account that it acts for, and the scopes of its access token. */
export interface Caller {
  accountId: string;
  appId: string;
  scopes: ReadonlySet<Scope>;
  /** When the access token was issued, in milliseconds since 1970, to the second. */
  issuedAtMs: number;
  /** Thumbprint of the key to which the access token is bound (RFC 9449 §6). */
  jkt?: string | undefined;
}

/** A request after the scope guard. */
export type RequestWithCaller = Request & {
  caller?: Caller;
  /** Checks the app and the account again. @throws ApiError */
  assertCallerActive?: () => void;
};

/**
 * Injects the caller; undefined only on a public route without a token. Parameters are injected
 * after the body was read. The app or the account can have ended while a slow client sent it, so
 * both are checked again.
 */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { caller, assertCallerActive } = context.switchToHttp().getRequest<RequestWithCaller>();
  assertCallerActive?.();
  return caller;
});
