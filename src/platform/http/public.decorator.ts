import type { Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/**
 * How a public route uses access tokens: it ignores them, or it accepts one. A token that it
 * accepts must be valid.
 */
export type TokenUse = 'no-token' | 'optional-token';

/**
 * Declares a route, or all routes of a controller, that need no access token: `@Public('no-token')`
 * if they ignore tokens, `@Public('optional-token')` if a token changes the response.
 */
export const Public = Reflector.createDecorator<TokenUse>();

/** Returns how a route uses access tokens; undefined if it is not public. */
export function getTokenUse(reflector: Reflector, handler: () => unknown, controller: Type): TokenUse | undefined {
  return reflector.getAllAndOverride(Public, [handler, controller]);
}
