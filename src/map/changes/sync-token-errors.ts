import { DomainError } from '../../platform/errors/domain-error.js';

/** This feed did not issue the token. */
export function createInvalidSyncTokenError(): DomainError {
  return new DomainError(
    'invalid',
    'invalid_sync_token',
    'since is not a token of this feed. Send nextSince of the response before, or start again without since.',
  );
}

/** The token is too old, or the map was restored to a state before the token. */
export function createSyncTokenExpiredError(): DomainError {
  return new DomainError(
    'gone',
    'sync_token_expired',
    'since has expired. Start again without since, and remove the records that the new pass does not contain.',
  );
}
