import { Reflector } from '@nestjs/core';

/**
 * How a public route uses access tokens: it ignores them, or it accepts one. A token that it
 * accepts must be valid.
 */
export type TokenUse = 'no-token' | 'optional-token';

/**
 * Declares a route that needs no access token: `@Public('no-token')` if it ignores tokens,
 * `@Public('optional-token')` if a token changes the response.
 */
export const Public = Reflector.createDecorator<TokenUse>();
