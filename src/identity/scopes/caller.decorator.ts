import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from './scopes.js';

/** The app that calls, the account that it acts for, and the scopes of its access token. */
export interface Caller {
  accountId: string;
  appId: string;
  scopes: ReadonlySet<Scope>;
}

/** A request after the scope guard. */
export type RequestWithCaller = Request & { caller?: Caller };

/** Injects the caller; undefined only on a public route without a token. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<RequestWithCaller>().caller,
);
