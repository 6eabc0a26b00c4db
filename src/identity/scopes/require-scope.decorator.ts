import { Reflector } from '@nestjs/core';
import type { Scope } from './scopes.js';

/** Declares the scope that a route requires of an access token: `@RequireScope('edits:read')`. */
export const RequireScope = Reflector.createDecorator<Scope>();
