import { Injectable } from '@nestjs/common';
import type { App } from '../../clients/app.entity.js';
import { MetricsService } from '../../../platform/metrics/metrics.service.js';
import { AccessTokensService } from '../../scopes/access-tokens.service.js';
import { type Scope, parseScope } from '../../scopes/scopes.js';
import { createMissingParamError, OAuthError } from '../oauth-error.js';
import { createInvalidGrantError } from '../refresh-token-rejection.js';
import { RefreshTokensService } from '../refresh-tokens.service.js';
import type { StoredRefreshToken } from '../refresh-tokens.store.js';
import { type IdempotencyKey, parseIdempotencyKey, IdempotentResponses } from '../idempotent-responses.service.js';
import type { TokenRequest } from '../token-request.dto.js';
import { type TokenResponse, toTokenResponse } from '../token-response.dto.js';
import type { Grant } from './grant.js';

/** A refresh token for a new pair (RFC 6749 §6). */
@Injectable()
export class RefreshTokenGrant implements Grant {
  readonly grantType = 'refresh_token';

  constructor(
    private readonly refreshTokens: RefreshTokensService,
    private readonly accessTokens: AccessTokensService,
    private readonly idempotentResponses: IdempotentResponses,
    private readonly metrics: MetricsService,
  ) {}

  /** Spends the token; or gives its answer again to who asks by the same key; or says why not. */
  async exchange(app: App, request: TokenRequest, idempotencyKey?: string): Promise<TokenResponse> {
    const { refresh_token: presented, scope } = request;
    if (presented === undefined) throw createMissingParamError('refresh_token');
    const attempt = parseIdempotencyKey(presented, request, idempotencyKey);
    const token = await this.refreshTokens.get(app, presented);
    const answer = this.refreshTokens.isValid(token)
      ? await this.rotate(token, narrowScopes(token.scopes, scope), attempt)
      : undefined;
    return answer ?? (attempt && (await this.replayResponse(app, attempt))) ?? this.refreshTokens.rejectInvalid(token);
  }

  /** @returns undefined where the token is valid no more */
  private async rotate(
    token: StoredRefreshToken,
    scopes: Scope[],
    attempt?: IdempotencyKey,
  ): Promise<TokenResponse | undefined> {
    const refreshToken = this.refreshTokens.generate();
    const respond = (): TokenResponse => {
      const accessToken = this.accessTokens.sign(token.accountId, token.appId, scopes);
      return toTokenResponse({ accessToken, lifetimeSeconds: this.accessTokens.lifetimeSeconds, refreshToken, scopes });
    };
    const early = attempt && respond();
    const sealed = attempt && early && this.idempotentResponses.encrypt(attempt, early);
    const { result: isSpent, durable } = await this.refreshTokens.rotate(token, refreshToken, sealed);
    if (!isSpent) return undefined;
    const answer = early ?? respond(); // signed while the disk writes
    await durable;
    return answer;
  }

  /** The same answer again, while the refresh token in it is good: once that was used, the first answer has arrived. */
  private async replayResponse(app: App, attempt: IdempotencyKey): Promise<TokenResponse | undefined> {
    const answer = await this.idempotentResponses.find(attempt);
    const successor = answer && (await this.refreshTokens.get(app, answer.refresh_token));
    if (successor?.blockedAt) throw createInvalidGrantError('blocked'); // who asks has the key, so this is no reuse by somebody else
    if (!successor || !this.refreshTokens.isValid(successor)) return undefined;
    this.metrics.replayedResponses.inc();
    return answer;
  }
}

/** The scopes of the new access token: all that were granted, or those asked for (RFC 6749 §6). */
function narrowScopes(granted: Scope[], scope: string | undefined): Scope[] {
  if (scope === undefined) return granted;
  const asked = parseScope(scope);
  const narrowed = granted.filter((name) => asked.includes(name));
  if (asked.length === 0 || narrowed.length < asked.length) {
    throw new OAuthError('invalid_scope', 'A refresh can ask for less than the person granted, not for more.');
  }
  return narrowed;
}
