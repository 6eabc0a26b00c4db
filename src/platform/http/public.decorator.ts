import { Reflector } from '@nestjs/core';

/** What a public route makes of an access token: nothing, or it knows the caller by one, which must then be valid. */
export type TokenUse = 'no-token' | 'optional-token';

/** Says that a route needs no access token: `@Public('no-token')`, or `@Public('optional-token')` where one tells more. */
export const Public = Reflector.createDecorator<TokenUse>();
