import { Reflector } from '@nestjs/core';
import type { Scope } from './scopes.js';

/** Says which scope an access token needs for a route: `@RequireScope('edits:read')`. */
export const RequireScope = Reflector.createDecorator<Scope>();
