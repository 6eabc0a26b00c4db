import type { Session } from '../../accounts/sessions/session.entity.js';
import type { AuthorizationRequest } from './authorization-request.js';

/** Age of a sign-in on behalf of the request that satisfies any `max_age`, including 0. */
const REAUTHENTICATION_GRACE_MS = 60_000;

/**
 * Whether the request requires another sign-in (OpenID Connect Core §3.1.2.1): because of its
 * `prompt`, because the authentication is older than its `max_age`, or because its `id_token_hint`
 * names another account.
 * @param requestedAt time of the first request
 */
export function requiresReauthentication(request: AuthorizationRequest, session: Session, requestedAt: Date): boolean {
  const { prompt, maxAge } = request;
  const isPrompted = prompt.has('login') || prompt.has('select_account');
  const isSignedInSince = session.authTime >= requestedAt;
  const ageMs = Date.now() - session.authTime.getTime();
  const isFresh = isSignedInSince && ageMs < REAUTHENTICATION_GRACE_MS;
  const isTooOld = maxAge !== undefined && ageMs > maxAge * 1000 && !isFresh;
  return (isPrompted && !isSignedInSince) || isTooOld || isOtherAccount(request, session);
}

/** Whether the `id_token_hint` names another account than the session's. */
export function isOtherAccount({ hintedAccountId }: AuthorizationRequest, session: Session): boolean {
  return hintedAccountId !== undefined && hintedAccountId !== session.accountId;
}
