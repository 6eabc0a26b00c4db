import {
  createInvalidClientError,
  createMissingCredentialError,
} from '../../identity/oauth/client-authentication.service.js';
import { OAuthErrorResponse } from '../../identity/oauth/token.dto.js';
import {
  createOAuthInternalError,
  createOAuthRateLimitedError,
  createTokenRateLimitedError,
  createOAuthUnavailableError,
  toOAuthResponse,
} from '../../identity/oauth/oauth-error.filter.js';
import { OAuthError } from '../../identity/oauth/oauth-error.js';
import { createUnreadableBodyError } from '../../identity/oauth/app-request.guard.js';
import { createRateLimitedError } from '../../identity/scopes/api-rate-limits.service.js';
import {
  createAppDisabledError,
  createInsufficientScopeError,
  createMissingProofError,
  createTokenExpiredError,
  createTokenInvalidError,
  createTokenRequiredError,
} from '../../identity/scopes/bearer-token-errors.js';
import { ApiError, toApiError } from '../../platform/http/api-error.js';
import {
  createBadRequestError,
  createInternalError,
  createApiUnavailableError,
} from '../../platform/http/api-error.filter.js';
import { createInvalidCursorError } from '../../platform/database/cursor-codec.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { createInvalidKeyError } from '../../platform/idempotency/idempotency-key.decorator.js';
import { createInFlightError, createKeyReusedError } from '../../platform/idempotency/idempotent-writes.service.js';
import { createInvalidRequestError } from '../../platform/errors/request-errors.js';
import { createVersionChangedError } from '../../platform/http/entity-tag.js';
import { ErrorResponse } from './error-response.dto.js';
import { createInvalidBodyError } from '../../platform/http/api-request.interceptor.js';
import { createUnknownMemberDetail } from '../../platform/http/validation-details.js';
import type { JsonSchema } from '../../platform/openapi/json-schema.js';
import { isRateLimited, type Operation } from './operation.js';

/** An error in the terms of HTTP. */
export interface DocumentedError {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody;
}

type ErrorBody = ErrorResponse & Partial<OAuthErrorResponse>;

/**
 * Returns the errors of an operation: those of its kind, then its own. They are the errors that the
 * code throws.
 */
export function listErrors(operation: Operation): DocumentedError[] {
  const standard = operation.api.kind === 'oauth' ? listOAuthErrors(operation) : listApiErrors(operation);
  return [...standard, ...(operation.description.errors ?? [])].map(toDocumentedError);
}

/** Returns the schema of error bodies, restricted to the codes and reasons of some of them. */
export function buildErrorSchema(bodies: ErrorBody[]): JsonSchema {
  const isOAuth = bodies[0]!.error_description !== undefined;
  const members = isOAuth ? (['error'] as const) : (['code', 'reason'] as const);
  const valuesOf = (member: (typeof members)[number]): string[] => bodies.flatMap(({ [member]: value }) => value ?? []);
  const restricted = members
    .filter((member) => valuesOf(member).length > 0)
    .map((member) => [member, { enum: [...new Set(valuesOf(member))] }] as const);
  return {
    allOf: [{ dto: isOAuth ? OAuthErrorResponse : ErrorResponse }, { properties: Object.fromEntries(restricted) }],
  };
}

/**
 * Returns the bodies as named examples. The name is the reason or code, with a number if it occurs
 * again.
 */
export function buildErrorExamples(bodies: ErrorBody[]): Record<string, { value: ErrorBody }> {
  const examples: Record<string, { value: ErrorBody }> = {};
  for (const body of bodies) {
    const name = body.reason ?? body.code ?? (body.error_description === undefined ? 'missing_scope' : body.error);
    const taken = Object.keys(examples).filter((other) => other.replace(/_\d+$/, '') === name).length;
    examples[taken === 0 ? name : `${name}_${taken + 1}`] = { value: body };
  }
  return examples;
}

function listApiErrors(operation: Operation): Error[] {
  return [
    ...listTokenErrors(operation),
    ...(operation.api.kind === 'resource' ? listRequestErrors(operation) : []),
    ...(isRateLimited(operation) ? [createRateLimitedError({ 'Retry-After': '42' })] : []),
    createInternalError(),
    createApiUnavailableError(),
  ];
}

function listTokenErrors({ route: { scope, public: tokenUse } }: Operation): ApiError[] {
  if (scope) {
    return [
      createTokenRequiredError(),
      createTokenExpiredError(),
      createTokenInvalidError(),
      createMissingProofError(),
      createAppDisabledError(),
      createInsufficientScopeError(scope),
    ];
  }
  if (tokenUse !== 'optional-token') return [];
  return [createTokenExpiredError(), createTokenInvalidError(), createMissingProofError(), createAppDisabledError()];
}

function listRequestErrors({ route, pathParams, isPaginated, description }: Operation): Error[] {
  return [
    createInvalidRequestError([createUnknownMemberDetail(route.method === 'POST' ? 'field' : 'parameter', 'colour')]),
    ...(pathParams.length > 0 ? [createBadRequestError()] : []),
    ...(isPaginated ? [createInvalidCursorError()] : []),
    ...(route.method === 'POST' ? [400, 413, 415].map(createInvalidBodyError) : []),
    ...(description.acceptsIfMatch ? [createVersionChangedError(4)] : []),
    ...(description.acceptsIdempotencyKey
      ? [createInvalidKeyError(), createKeyReusedError(), createInFlightError()]
      : []),
  ];
}

function listOAuthErrors({ settings }: Operation): OAuthError[] {
  return [
    createUnreadableBodyError(400),
    createInvalidClientError(),
    createMissingCredentialError('client_secret'),
    createUnreadableBodyError(413),
    createTokenRateLimitedError(settings.TOKEN_RATE_LIMIT, { 'Retry-After': '42' }),
    createOAuthRateLimitedError('Too many failed requests.', { 'Retry-After': '42' }),
    createOAuthInternalError(),
    createOAuthUnavailableError(),
  ];
}

function toDocumentedError(error: Error): DocumentedError {
  if (error instanceof DomainError) return toDocumentedError(toApiError(error));
  if (error instanceof ApiError) {
    return { status: error.getStatus(), headers: error.headers, body: error.getResponse() as ErrorBody };
  }
  if (error instanceof OAuthError) return toOAuthResponse(error);
  throw error;
}
