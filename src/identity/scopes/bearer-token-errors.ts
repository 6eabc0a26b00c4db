import { ApiError } from '../../platform/http/api-error.js';
import { DPOP_ALGORITHMS } from './dpop-proof.js';
import type { Scope } from './scopes.js';

const ALGORITHMS = DPOP_ALGORITHMS.join(' ');

/** Creates the 401 for a request without an access token (RFC 6750 §3). */
export function createTokenRequiredError(): ApiError {
  return new ApiError(
    401,
    'token_required',
    'The access token is missing. Send the header Authorization: Bearer, followed by the token.',
    {
      headers: { 'WWW-Authenticate': 'Bearer realm="street-art-map"' },
    },
  );
}

/**
 * Creates the 401 `invalid_token` for a token that this service did not issue or no longer accepts
 * (RFC 6750 §3.1).
 */
export function createTokenInvalidError(): ApiError {
  return createInvalidTokenError(
    'token_invalid',
    'The access token is not valid. Send the access_token of the latest token response, unchanged.',
  );
}

/** Creates the 401 `invalid_token` for a token of another issuer. */
export function createOtherIssuerError(issuer: string, ownIssuer: string): ApiError {
  return createInvalidTokenError(
    'token_invalid',
    `The access token was issued by ${issuer}, but this service is ${ownIssuer}. Request a token from this service.`,
  );
}

/** Creates the 401 `invalid_token` for a token of another resource (RFC 8707 §2). */
export function createOtherResourceError(resourceUrl: string, ownUrl: string): ApiError {
  return createInvalidTokenError(
    'token_invalid',
    `The access token is for ${resourceUrl}, not for ${ownUrl}. Request a token with the resource ${ownUrl}.`,
  );
}

/** Creates the 401 `invalid_token` for an expired token (RFC 6750 §3.1). */
export function createTokenExpiredError(): ApiError {
  return createInvalidTokenError('token_expired', 'The access token has expired.');
}

/** Creates the 400 `invalid_request` for a token that was sent twice (RFC 6750 §2, §3.1). */
export function createRepeatedTokenError(): ApiError {
  const message =
    'The access token was sent twice. Send it in the header Authorization or in the form field access_token.';
  return new ApiError(400, 'invalid_request', message, {
    headers: { 'WWW-Authenticate': `Bearer error="invalid_request", error_description="${message}"` },
  });
}

/** Creates the 403 for a token of a disabled app. The header stops clients that read only it. */
export function createAppDisabledError(): ApiError {
  return createInvalidTokenError('app_disabled', 'This app was disabled by the people who run the map.', 403);
}

/**
 * Creates the 403 `insufficient_scope` (RFC 6750 §3.1). The requirement gives the sentence; the
 * body has no code.
 */
export function createInsufficientScopeError(scope: Scope): ApiError {
  return createMissingScopesError([], [scope]);
}

/**
 * Creates the 403 `insufficient_scope` for a client that requests the scopes of the challenge and
 * replaces its token, so they include those that the token has.
 */
export function createMissingScopesError(granted: Iterable<Scope>, missing: Scope[]): ApiError {
  const names = missing.length === 1 ? `${missing[0]} scope` : `scopes ${missing.join(' and ')}`;
  return new ApiError(403, undefined, `This app needs the ${names} to do that.`, {
    headers: {
      'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${[...granted, ...missing].join(' ')}"`,
      'X-Accepted-OAuth-Scopes': missing.join(' '),
    },
  });
}

/**
 * Creates the 401 `invalid_token` for a token that was sent with the wrong scheme (RFC 9449 §7.1,
 * §7.2).
 */
export function createWrongSchemeError(scheme: 'Bearer' | 'DPoP'): ApiError {
  return createInvalidTokenError(
    'token_invalid',
    scheme === 'DPoP'
      ? 'The access token is bound to a key. Send the header Authorization: DPoP, and a proof in the header DPoP.'
      : 'The access token is not bound to a key. Send the header Authorization: Bearer, followed by the token.',
  );
}

/** Creates the 401 `invalid_token` for a proof of another key than that of the token. */
export function createOtherKeyError(): ApiError {
  return createInvalidTokenError(
    'token_invalid',
    'The access token is bound to another key than that of the DPoP proof. Use the key of the token request.',
  );
}

/** Creates the 401 `invalid_dpop_proof` (RFC 9449 §7.1). */
export function createInvalidProofError(message: string): ApiError {
  return new ApiError(401, 'invalid_dpop_proof', message, {
    headers: {
      'WWW-Authenticate': `DPoP error="invalid_dpop_proof", error_description="${message}", algs="${ALGORITHMS}"`,
    },
  });
}

/** Creates the 401 for a token that is bound to a key and was sent without a proof. */
export function createMissingProofError(): ApiError {
  return createInvalidProofError('The header DPoP is missing. Send a proof with each request.');
}

/** Returns the challenge for a proof, which a 401 has beside that for a Bearer token. */
export function buildDpopChallenge(): string {
  return `DPoP algs="${ALGORITHMS}"`;
}

function createInvalidTokenError(code: string, message: string, status = 401): ApiError {
  return new ApiError(status, code, message, {
    headers: { 'WWW-Authenticate': `Bearer error="invalid_token", error_description="${message}"` },
  });
}
