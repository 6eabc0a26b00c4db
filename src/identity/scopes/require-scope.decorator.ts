import { Reflector } from '@nestjs/core';
import type { Scope } from './scopes.js';

/** Declares the scope that a route requires of an access token: `@RequireScope('edits:read')`. */
export const RequireScope = Reflector.createDecorator<Scope>();

/** Lets a route accept its access token in the form field `access_token` (RFC 6750 §2.2). */
export const AllowFormToken = Reflector.createDecorator<true>();
