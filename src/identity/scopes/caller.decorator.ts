import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from './scopes.js';

/** Who calls: an app for a person, within scopes. Read from the access token; what the person may do is asked elsewhere. */
export interface Caller {
  accountId: string;
  appId: string;
  scopes: ReadonlySet<Scope>;
}

/** A request on which the guard has left its caller. */
export type RequestWithCaller = Request & { caller?: Caller };

/** The caller of a route; undefined only where the route is public. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<RequestWithCaller>().caller,
);
