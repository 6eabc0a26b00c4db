import { badRequest, internalError, temporarilyUnavailable } from '../../http/api-error.filter.js';
import { invalidCursor } from '../../http/cursor.js';
import { versionChanged } from '../../http/entity-tag.js';
import { unreadableBody } from '../../http/json-body.interceptor.js';
import { invalidRequest } from '../../http/validation.pipe.js';
import { invalidClient } from '../../oauth/app-credentials.js';
import { rateLimited } from '../../scopes/api-rate-limit.guard.js';
import { unreadable } from '../../oauth/fields.decorator.js';
import * as oauth from '../../oauth/oauth-error.filter.js';
import { tooManyRequests } from '../../oauth/token-limits.js';
import { missingScope } from '../../scopes/missing-scope.js';
import { tokenExpired, tokenInvalid, tokenRequired } from '../../scopes/token-refusals.js';
import type { Refusal } from './problems.js';
import { isLimited, type Route } from './route.js';

/** The errors that follow from what a route is, whatever it does: those that the code throws. */
export function usualRefusals(route: Route): Refusal[] {
  if (route.kind === 'oauth') return oauthRefusals();
  const shape = route.kind === 'resource' ? shapeRefusals(route) : [];
  const limits = isLimited(route) ? [rateLimited('42')] : [];
  return [...tokenRefusals(route), ...shape, ...limits, internalError(), temporarilyUnavailable()];
}

function tokenRefusals(route: Route): Refusal[] {
  if (route.scope) return [tokenRequired(), tokenExpired(), tokenInvalid(), missingScope(route.scope)];
  return route.public === 'optional-token' ? [tokenExpired(), tokenInvalid()] : [];
}

/** What each resource refuses of a request that has passed the gate. */
function shapeRefusals({ method, isPaged, pathNames, takesIfMatch }: Route): Refusal[] {
  return [
    invalidRequest([{ path: 'colour', code: 'unknown_member', message: 'There is no colour here.' }]),
    ...(pathNames.length > 0 ? [badRequest()] : []),
    ...(isPaged ? [invalidCursor()] : []),
    ...(method === 'POST' ? [400, 413, 415].map(unreadableBody) : []),
    ...(takesIfMatch ? [versionChanged(4)] : []),
  ];
}

function oauthRefusals(): Refusal[] {
  return [
    unreadable(400),
    invalidClient(),
    unreadable(413),
    tooManyRequests('This app makes too many requests.', { 'Retry-After': '42' }),
    tooManyRequests('Too many requests with wrong credentials or tokens.', { 'Retry-After': '42' }),
    oauth.serverError(),
    oauth.temporarilyUnavailable(),
  ];
}
