import { Reflector } from '@nestjs/core';

/** Lets a route take its access token from the field `access_token` of a form as well (RFC 6750 §2.2). */
export const AllowFormToken = Reflector.createDecorator<true>();
