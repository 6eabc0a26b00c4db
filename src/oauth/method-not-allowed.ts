import { OAuthError } from './oauth-error.js';

/** 405 for everything but POST (RFC 9110 §15.5.6). */
export function onlyPost(): never {
  throw new OAuthError('invalid_request', 'Use POST.', 405, { Allow: 'POST' });
}
