import { Injectable } from '@nestjs/common';
import { computeDigest, generateSecret } from '../../../platform/crypto/opaque-secret.js';
import { MetricsService } from '../../../platform/metrics/metrics.service.js';
import type { App } from '../../clients/app.entity.js';
import { AccessTokensService } from '../../scopes/access-tokens.service.js';
import { describeUnknownScope, isScope, parseScope, type Scope } from '../../scopes/scopes.js';
import { type IdempotencyKey, IdempotentResponses, parseIdempotencyKey } from '../idempotent-responses.service.js';
import { createMissingParamError, OAuthError } from '../oauth-error.js';
import { createInvalidGrantError, getRefreshTokenRejection, isValidRefreshToken } from '../refresh-token-rejection.js';
import { RefreshTokenService } from '../refresh-token.service.js';
import type { StoredRefreshToken } from '../refresh-tokens.store.js';
import type { TokenRequestDto } from '../token-request.dto.js';
import { type TokenResponse, toTokenResponse } from '../token-response.dto.js';
import type { Grant } from './grant.js';

/**
 * Attempts to rotate a valid token. An attempt fails if the consent or the app's registration
 * changes at the same moment, and the next one reads the allowed scopes again.
 */
const MAX_ROTATION_ATTEMPTS = 5;

/**
 * Exchanges a refresh token for an access token and the next refresh token (RFC 6749 §6). The
 * access token carries the granted scopes that are allowed now.
 */
@Injectable()
export class RefreshTokenGrant implements Grant {
  readonly grantType = 'refresh_token';

  constructor(
    private readonly refreshTokens: RefreshTokenService,
    private readonly accessTokens: AccessTokensService,
    private readonly idempotentResponses: IdempotentResponses,
    private readonly metrics: MetricsService,
  ) {}

  async exchange(client: App, params: TokenRequestDto, idempotencyKey?: string): Promise<TokenResponse> {
    if (params.refresh_token === undefined) throw createMissingParamError('refresh_token');
    const key = parseIdempotencyKey(params.refresh_token, params.scope, idempotencyKey);

    for (let attempt = 1; attempt <= MAX_ROTATION_ATTEMPTS; attempt++) {
      const token = await this.refreshTokens.find(params.refresh_token);
      if (!token) throw createInvalidGrantError('unknown');
      if (token.appId !== client.id) throw createInvalidGrantError('client_mismatch');
      if (!isValidRefreshToken(token)) return this.replayOrReject(client, token, params.scope, key);
      const response = await this.rotate(token, selectScopes(token, params.scope), key);
      if (response) return response;
    }
    throw createConcurrentChangeError();
  }

  /** @returns undefined if the token is no longer valid, or its allowed scopes have changed */
  private async rotate(
    token: StoredRefreshToken,
    scopes: Scope[],
    key: IdempotencyKey | undefined,
  ): Promise<TokenResponse | undefined> {
    const successor = generateSecret('sam_refresh');
    const replayable = key && this.createResponse(token, successor, scopes);
    const { result: isRotated, durable } = await this.refreshTokens.rotate({
      token,
      successorDigest: computeDigest(successor),
      idempotentResponse: key && replayable && this.idempotentResponses.encrypt(key, replayable),
    });
    if (!isRotated) return undefined;

    // Signed while the disk writes.
    const response = replayable ?? this.createResponse(token, successor, scopes);
    await durable;
    return response;
  }

  private createResponse(
    { accountId, appId }: StoredRefreshToken,
    refreshToken: string,
    scopes: Scope[],
  ): TokenResponse {
    const accessToken = this.accessTokens.sign(accountId, appId, scopes);
    return toTokenResponse({ accessToken, lifetimeSeconds: this.accessTokens.lifetimeSeconds, refreshToken, scopes });
  }

  /**
   * Repeats the response to a request with the same idempotency key, or rejects the token. If the
   * first access token has a scope that was withdrawn since then, the response has a new one.
   */
  private async replayOrReject(
    client: App,
    token: StoredRefreshToken,
    scope: string | undefined,
    key: IdempotencyKey | undefined,
  ): Promise<TokenResponse> {
    const response = key && (await this.idempotentResponses.find(key));
    const successor = response && (await this.refreshTokens.find(response.refresh_token));
    const rejection = successor && getRefreshTokenRejection(successor, new Date());
    // The key proves that the client sent the first request, so this is no reuse.
    if (rejection === 'account_blocked' || rejection === 'scopes_withdrawn') throw createInvalidGrantError(rejection);
    // A used successor proves that the client received the first response.
    if (!successor || rejection) return this.refreshTokens.rejectInvalid(client, token);
    const scopes = selectScopes(successor, scope);
    this.metrics.replayedResponses.inc();
    const isAllowed = parseScope(response.scope).every((name) => (scopes as string[]).includes(name));
    return isAllowed ? response : this.createResponse(successor, response.refresh_token, scopes);
  }
}

/**
 * Returns the scopes of the access token: the allowed ones, or the requested subset of them (RFC
 * 6749 §6).
 * @throws OAuthError `invalid_scope`
 */
function selectScopes({ scopes, allowedScopes }: StoredRefreshToken, scope: string | undefined): Scope[] {
  if (scope === undefined) return allowedScopes;
  const requested = parseScope(scope);
  if (requested.length === 0) throw new OAuthError('invalid_scope', 'scope must name at least one scope.');
  const ungranted = requested.find((name) => !(scopes as string[]).includes(name));
  if (ungranted !== undefined) throw createUngrantedScopeError(ungranted, scope);
  const withdrawn = requested.find((name) => !(allowedScopes as string[]).includes(name));
  if (withdrawn !== undefined) throw createWithdrawnScopeError(withdrawn, scope);
  return allowedScopes.filter((name) => requested.includes(name));
}

/**
 * Creates the `invalid_scope` error for a scope that the person did not grant.
 * @param sent the parameter `scope`
 */
export function createUngrantedScopeError(name: string, sent: string): OAuthError {
  const fix = 'Request only granted scopes, or ask the person to authorize again.';
  const description = isScope(name) ? `The scope ${name} was not granted. ${fix}` : describeUnknownScope(name);
  return new OAuthError('invalid_scope', description, 400, {}, { violation: { sent } });
}

/**
 * Creates the `invalid_scope` error for a granted scope that is not allowed now.
 * @param sent the parameter `scope`
 */
export function createWithdrawnScopeError(name: string, sent: string): OAuthError {
  const cause = 'The person withdrew it, or the app is no longer registered for it.';
  const description = `The scope ${name} is not allowed now. ${cause} Remove it from scope.`;
  return new OAuthError('invalid_scope', description, 400, {}, { violation: { sent } });
}

function createConcurrentChangeError(): OAuthError {
  const description = 'The permissions of this app are changing at this moment. Repeat the request.';
  return new OAuthError('temporarily_unavailable', description, 503, { 'Retry-After': '1' });
}
