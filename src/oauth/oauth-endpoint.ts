import { applyDecorators, Controller, UseFilters, UseInterceptors } from '@nestjs/common';
import { OAuthBody } from './oauth-body.interceptor.js';
import { OAuthErrorFilter } from './oauth-error.filter.js';
import { OAuthError } from './oauth-error.js';

/** A controller of an OAuth endpoint that apps call themselves: its bodies, its errors, and nothing kept by caches. */
export function OAuthEndpoint(path: string): ClassDecorator {
  return applyDecorators(Controller(path), UseInterceptors(OAuthBody), UseFilters(OAuthErrorFilter));
}

/** 405 for everything but POST (RFC 9110 §15.5.6). */
export function onlyPost(): never {
  throw new OAuthError('invalid_request', 'Use POST.', 405, { Allow: 'POST' });
}
