import { ApiError } from '../../platform/http/api-error.js';
import type { Scope } from './scopes.js';

/** The refusal whose words the spec gives (§5); its body holds nothing more. */
export function createInsufficientScopeError(scope: Scope): ApiError {
  return new ApiError(403, undefined, `This app needs the ${scope} scope to do that.`, {
    headers: {
      'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"`,
      'X-Accepted-OAuth-Scopes': scope,
    },
  });
}
