import { applyDecorators, Controller, Header, HttpCode, Post, UseFilters } from '@nestjs/common';
import { Public } from '../../platform/http/public.decorator.js';
import { NO_STORE_HEADERS, OAuthErrorFilter } from './oauth-error.filter.js';
import { OAuthError } from './oauth-error.js';

/** A controller of an OAuth endpoint that apps call themselves. */
export function OAuthEndpoint(path: string): ClassDecorator {
  return applyDecorators(Controller(path), UseFilters(OAuthErrorFilter));
}

/** What such an endpoint is for: a POST, answered 200. */
export function OAuthPost(): MethodDecorator {
  return applyDecorators(
    Post(),
    HttpCode(200),
    Public('no-token'),
    ...Object.entries(NO_STORE_HEADERS).map(([name, value]) => Header(name, value)),
  );
}

/** 405 for everything but POST (RFC 9110 §15.5.6). */
export function throwMethodNotAllowed(): never {
  throw new OAuthError('invalid_request', 'Use POST.', 405, { Allow: 'POST' });
}
