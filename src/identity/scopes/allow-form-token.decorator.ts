import { Reflector } from '@nestjs/core';

/** Lets a route accept its access token in the form field `access_token` (RFC 6750 §2.2). */
export const AllowFormToken = Reflector.createDecorator<true>();
