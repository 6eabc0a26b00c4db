import { Injectable } from '@nestjs/common';
import { computeDigest, generateSecret } from '../../../platform/crypto/opaque-secret.js';
import { MetricsService } from '../../../platform/metrics/metrics.service.js';
import type { App } from '../../clients/app.entity.js';
import { AccessTokensService } from '../../scopes/access-tokens.service.js';
import { describeUnknownScope, isScope, parseScope, type Scope } from '../../scopes/scopes.js';
import { type IdempotencyKey, IdempotentResponses, parseIdempotencyKey } from '../idempotent-responses.service.js';
import { createMissingParamError, OAuthError } from '../oauth-error.js';
import { createInvalidGrantError, isValidRefreshToken } from '../refresh-token-rejection.js';
import { RefreshTokenService } from '../refresh-token.service.js';
import type { StoredRefreshToken } from '../refresh-tokens.store.js';
import type { TokenRequestDto } from '../token-request.dto.js';
import { type TokenResponse, toTokenResponse } from '../token-response.dto.js';
import type { Grant } from './grant.js';

/** Exchanges a refresh token for an access token and the next refresh token (RFC 6749 §6). */
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

    const token = await this.refreshTokens.find(params.refresh_token);
    if (!token) throw createInvalidGrantError('unknown');
    if (token.appId !== client.id) throw createInvalidGrantError('client_mismatch');
    if (!isValidRefreshToken(token)) return this.replayOrReject(client, token, key);
    const scopes = narrowScopes(token.scopes, params.scope);

    const successor = generateSecret('sam_refresh');
    const replayable = key && this.createResponse(token, successor, scopes);
    const { result: isRotated, durable } = await this.refreshTokens.rotate({
      digest: token.digest,
      successorDigest: computeDigest(successor),
      idempotentResponse: key && replayable && this.idempotentResponses.encrypt(key, replayable),
    });
    if (!isRotated) return this.replayOrReject(client, token, key);

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

  /** Repeats the response to a request with the same idempotency key, or rejects the token. */
  private async replayOrReject(
    client: App,
    token: StoredRefreshToken,
    key: IdempotencyKey | undefined,
  ): Promise<TokenResponse> {
    const response = key && (await this.idempotentResponses.find(key));
    const successor = response && (await this.refreshTokens.find(response.refresh_token));
    // The key proves that the client sent the first request, so this is no reuse.
    if (successor?.blockedAt) throw createInvalidGrantError('account_blocked');
    // A used successor proves that the client received the first response.
    if (!successor || !isValidRefreshToken(successor)) return this.refreshTokens.rejectInvalid(client, token);
    this.metrics.replayedResponses.inc();
    return response;
  }
}

/**
 * Returns the scopes of the access token: the requested subset of the granted ones (RFC 6749 §6).
 */
function narrowScopes(granted: Scope[], scope: string | undefined): Scope[] {
  if (scope === undefined) return granted;
  const requested = parseScope(scope);
  if (requested.length === 0) throw new OAuthError('invalid_scope', 'scope must name at least one scope.');
  const ungranted = requested.find((name) => !(granted as string[]).includes(name));
  if (ungranted !== undefined) throw createUngrantedScopeError(ungranted, scope);
  return granted.filter((name) => requested.includes(name));
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
