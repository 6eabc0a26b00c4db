import { badRequest, internalError, temporarilyUnavailable } from '../../../platform/http/api-error.filter.js';
import { invalidCursor } from '../../../platform/database/cursor-codec.js';
import { versionChanged } from '../../../platform/http/entity-tag.js';
import { unreadableBody } from '../../../platform/http/json-body.interceptor.js';
import { invalidRequest } from '../../../platform/http/api-validation.pipe.js';
import { createInvalidClientError } from '../../../identity/oauth/client-authentication.service.js';
import { createRateLimitedError } from '../../../identity/scopes/api-rate-limit.guard.js';
import { createUnreadableBodyError } from '../../../identity/oauth/oauth-params.decorator.js';
import * as oauth from '../../../identity/oauth/oauth-error.filter.js';
import { createTooManyRequestsError } from '../../../identity/oauth/token-rate-limiter.service.js';
import {
  createInsufficientScopeError,
  createTokenExpiredError,
  createTokenInvalidError,
  createTokenRequiredError,
} from '../../../identity/scopes/bearer-token-errors.js';
import type { DocumentedError } from './error-responses.js';
import { isRateLimited, type RouteMetadata } from './route-metadata.js';

/** The errors that follow from what a route is, whatever it does: those that the code throws. */
export function getStandardErrors(route: RouteMetadata): DocumentedError[] {
  if (route.kind === 'oauth') return getOAuthErrors();
  const shape = route.kind === 'resource' ? getRequestErrors(route) : [];
  const limits = isRateLimited(route) ? [createRateLimitedError('42')] : [];
  return [...getTokenErrors(route), ...shape, ...limits, internalError(), temporarilyUnavailable()];
}

function getTokenErrors(route: RouteMetadata): DocumentedError[] {
  if (route.scope)
    return [
      createTokenRequiredError(),
      createTokenExpiredError(),
      createTokenInvalidError(),
      createInsufficientScopeError(route.scope),
    ];
  return route.tokenUse === 'optional-token' ? [createTokenExpiredError(), createTokenInvalidError()] : [];
}

/** What each resource refuses of a request that has passed the gate. */
function getRequestErrors({ method, isPaginated, pathParamNames, acceptsIfMatch }: RouteMetadata): DocumentedError[] {
  return [
    invalidRequest([{ path: 'colour', code: 'unknown_member', message: 'There is no colour here.' }]),
    ...(pathParamNames.length > 0 ? [badRequest()] : []),
    ...(isPaginated ? [invalidCursor()] : []),
    ...(method === 'POST' ? [400, 413, 415].map(unreadableBody) : []),
    ...(acceptsIfMatch ? [versionChanged(4)] : []),
  ];
}

function getOAuthErrors(): DocumentedError[] {
  return [
    createUnreadableBodyError(400),
    createInvalidClientError(),
    createUnreadableBodyError(413),
    createTooManyRequestsError('This app makes too many requests.', { 'Retry-After': '42' }),
    createTooManyRequestsError('Too many requests with wrong credentials or tokens.', { 'Retry-After': '42' }),
    oauth.createServerError(),
    oauth.createTemporarilyUnavailableError(),
  ];
}
