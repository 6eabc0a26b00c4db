import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { type Scope, SCOPES } from './scopes.js';

/** Who acts: an app for a person, or the person on a page of this service. */
export interface Actor {
  accountId: string;
  /** Null on a page. */
  appId: string | null;
  scopes: ReadonlySet<Scope>;
  /** When the access token was issued, in milliseconds since 1970, to the second. */
  issuedAtMs: number;
}

/** The app that calls, the account that it acts for, and the scopes of its access token. */
export interface Caller extends Actor {
  appId: string;
  /** Thumbprint of the key to which the access token is bound (RFC 9449 §6). */
  jkt?: string | undefined;
}

/** Returns the actor of a person with a session, whom no scope limits. */
export function createPersonActor(accountId: string): Actor {
  return { accountId, appId: null, scopes: new Set(Object.keys(SCOPES) as Scope[]), issuedAtMs: Date.now() };
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
