import type { Settings } from '../../../platform/config/settings.js';
import type { App } from '../../apps/app.entity.js';
import { type Resource, selectResource } from '../../scopes/resources.js';
import { describeMissingScope, parseScope, type Scope } from '../../scopes/scopes.js';
import { createInvalidGrantError, createUnrequestedResourceError, OAuthError } from '../oauth-error.js';
import {
  getRefreshTokenRejection,
  REFRESH_TOKEN_REJECTION_MESSAGES,
  type RefreshTokenRejection,
  type StoredRefreshToken,
} from '../refresh-token-validity.js';
import type { TokenResponse } from '../token.dto.js';

/** Milliseconds in which a client may present a used token again without ending its chain. */
const RETRY_GRACE_PERIOD_MS = 10_000;

/** The stored state that decides about a refresh. */
export interface RefreshFacts {
  /** The presented token; undefined if it is unknown. */
  token: StoredRefreshToken | undefined;
  /** The token that replaced a used token. */
  successor?: StoredRefreshToken | undefined;
  /**
   * The text of the successor, if this request created it, or an earlier request with the same
   * idempotency key.
   */
  successorText?: string | undefined;
  /** The stored response of the earlier request. */
  storedResponse?: TokenResponse | undefined;
  /** Whether this request rotated the token in an earlier attempt. */
  isOwnRotation?: boolean;
  /** Whether the rotation may be undone soon, because its response was never sent. */
  isWithinUndoTime?: boolean;
}

/** The scopes and the resource of the new access token. */
export interface AccessTokenContent {
  scopes: Scope[];
  resource: Resource;
}

/** The parameters of a refresh request, with its app. */
export interface RefreshParams {
  appId: string;
  scope: string | undefined;
  resource: Resource | undefined;
  /** Thumbprint of the key of the DPoP proof. */
  jkt: string | undefined;
}

/** What to do with a refresh request. */
export type RefreshDecision =
  | ({ action: 'rotate'; token: StoredRefreshToken } & AccessTokenContent)
  /** Respond with the successor that exists. */
  | ({ action: 'replay'; successor: StoredRefreshToken; successorText: string } & AccessTokenContent)
  /** Read the token again: its rotation may be undone. */
  | { action: 'wait' }
  /** Another request used the token, so it may have leaked: see `endsChainOnReuse`. */
  | { action: 'check-reuse' }
  | { action: 'reject'; reason: RefreshTokenRejection | 'invalid_scope' | 'invalid_target'; error: OAuthError };

/**
 * Decides about a refresh request (RFC 6749 §6). It writes nothing: the rotation checks the state
 * again when it commits.
 */
export function decideRefresh(
  { token, successor, successorText, isOwnRotation = false, isWithinUndoTime = false }: RefreshFacts,
  params: RefreshParams,
  now: Date,
): RefreshDecision {
  if (!token) return reject('unknown');
  if (token.appId !== params.appId) return reject('client_mismatch');
  if (token.dpopJkt !== null && token.dpopJkt !== params.jkt) return reject('dpop_key_mismatch');
  const rejection = getRefreshTokenRejection(token, now);
  if (!rejection) return selectContent(token, params, (content) => ({ action: 'rotate', token, ...content }));
  if (rejection !== 'used') return reject(rejection);

  if (successor && successorText !== undefined) {
    const successorRejection = getRefreshTokenRejection(successor, now);
    if (!successorRejection)
      return selectContent(successor, params, (content) => ({
        action: 'replay',
        successor,
        successorText,
        ...content,
      }));
    // The client proved that it sent the first request, so this is no reuse.
    if (isOwnRotation || successorRejection === 'account_blocked' || successorRejection === 'scopes_withdrawn')
      return reject(successorRejection);
    // A used successor proves that the client received the first response.
  }
  if (isOwnRotation) return reject('unknown');
  const hasUnusedSuccessor = successor?.usedAt === null;
  return { action: isWithinUndoTime && hasUnusedSuccessor ? 'wait' : 'check-reuse' };
}

/**
 * Whether the reuse of a token ends its chain: always for a public client, else if the operator
 * chose it. An unused successor that is at most 10 seconds old means that the client retried, not
 * that the token leaked (RFC 9700 §4.14.2).
 */
export function endsChainOnReuse(
  { clientType }: Pick<App, 'clientType'>,
  setting: Settings['REFRESH_TOKEN_REUSE'],
  successor: StoredRefreshToken | undefined,
  now: Date,
): boolean {
  if (clientType !== 'public' && setting !== 'revoke-grant') return false;
  const isRetry = successor?.usedAt === null && successor.issuedAt.getTime() > now.getTime() - RETRY_GRACE_PERIOD_MS;
  return !isRetry;
}

function reject(reason: RefreshTokenRejection): RefreshDecision {
  return { action: 'reject', reason, error: createInvalidGrantError(REFRESH_TOKEN_REJECTION_MESSAGES[reason]) };
}

/** @returns the decision with the content of the access token, or the rejection of a parameter */
function selectContent(
  token: StoredRefreshToken,
  params: RefreshParams,
  decide: (content: AccessTokenContent) => RefreshDecision,
): RefreshDecision {
  const scopes = selectScopes(token, params.scope);
  if (scopes instanceof OAuthError) return { action: 'reject', reason: 'invalid_scope', error: scopes };
  const resource = selectResource(token.resources, params.resource);
  if (resource !== undefined) return decide({ scopes, resource });
  return { action: 'reject', reason: 'invalid_target', error: createUnrequestedResourceError() };
}

/**
 * Returns the scopes of the access token: the allowed ones, or the requested subset of them (RFC
 * 6749 §6), without unknown names. Returns the error `invalid_scope` if the subset is empty or
 * contains another scope.
 */
function selectScopes({ scopes, allowedScopes }: StoredRefreshToken, scope: string | undefined): Scope[] | OAuthError {
  if (scope === undefined) return allowedScopes;
  const requested = parseScope(scope);
  if (requested.length === 0) return new OAuthError('invalid_scope', describeMissingScope(scope));
  const ungranted = requested.find((name) => !scopes.includes(name));
  if (ungranted !== undefined) return createUngrantedScopeError(ungranted, scope);
  const withdrawn = requested.find((name) => !allowedScopes.includes(name));
  if (withdrawn !== undefined) return createWithdrawnScopeError(withdrawn, scope);
  return allowedScopes.filter((name) => requested.includes(name));
}

/**
 * Creates the `invalid_scope` error for a scope that the person did not allow.
 * @param sent the parameter `scope`
 */
export function createUngrantedScopeError(name: Scope, sent: string): OAuthError {
  const description = `The scope ${name} was not granted. Request only granted scopes, or ask the person to authorize again.`;
  return new OAuthError('invalid_scope', description, { violation: { sent } });
}

/**
 * Creates the `invalid_scope` error for a granted scope that is not allowed now.
 * @param sent the parameter `scope`
 */
export function createWithdrawnScopeError(name: Scope, sent: string): OAuthError {
  const cause = 'The person withdrew it, or the app is no longer registered for it.';
  const description = `The scope ${name} is not allowed now. ${cause} Remove it from scope.`;
  return new OAuthError('invalid_scope', description, { violation: { sent } });
}
