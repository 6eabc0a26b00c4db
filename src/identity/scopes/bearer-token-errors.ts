import { ApiError } from '../../platform/http/api-error.js';

/** That a route needs a token, and there is none (RFC 6750 §3). */
export function createTokenRequiredError(): ApiError {
  return new ApiError(401, 'token_required', 'This needs an access token, in the header Authorization: Bearer.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="street-art-map"' },
  });
}

export function createTokenInvalidError(): ApiError {
  return createBearerTokenError('token_invalid', 'The access token is not valid.');
}

export function createTokenExpiredError(): ApiError {
  return createBearerTokenError('token_expired', 'The access token has expired.');
}

/** RFC 6750 §3.1. */
function createBearerTokenError(code: string, sentence: string): ApiError {
  return new ApiError(401, code, sentence, {
    headers: { 'WWW-Authenticate': `Bearer error="invalid_token", error_description="${sentence}"` },
  });
}
