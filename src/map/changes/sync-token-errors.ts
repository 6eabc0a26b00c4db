import { ApiError } from '../../platform/http/api-error.js';

/** 400: this feed did not issue the token. */
export function createInvalidSyncTokenError(): ApiError {
  return new ApiError(
    400,
    'invalid_sync_token',
    'since is not a token of this feed. Send nextSince of the response before, or start again without since.',
  );
}

/** 410: the token is too old, or the map was restored to a state before the token. */
export function createSyncTokenExpiredError(): ApiError {
  return new ApiError(
    410,
    'sync_token_expired',
    'since has expired. Start again without since, and remove the records that the new pass does not contain.',
  );
}
