import { Injectable } from '@nestjs/common';
import type { App } from '../../apps/app.entity.js';
import { Metrics } from '../../metrics/metrics.js';
import { AccessTokens } from '../../scopes/access-tokens.js';
import { type Scope, splitScope } from '../../scopes/catalogue.js';
import { missingField, OAuthError } from '../oauth-error.js';
import { invalidGrant } from '../refresh-token-state.js';
import { RefreshTokenService } from '../refresh-token.service.js';
import type { StoredToken } from '../refresh-tokens-store.js';
import { type Attempt, attemptOf, SealedAnswers } from '../sealed-answers.js';
import type { TokenRequest } from '../token-request.js';
import { type TokenResponse, tokenResponse } from '../token-response.js';
import type { Grant } from './grant.js';

/** A refresh token for a new pair (RFC 6749 §6). */
@Injectable()
export class RefreshTokenGrant implements Grant {
  readonly name = 'refresh_token';

  constructor(
    private readonly refreshTokens: RefreshTokenService,
    private readonly accessTokens: AccessTokens,
    private readonly sealedAnswers: SealedAnswers,
    private readonly metrics: Metrics,
  ) {}

  /** Spends the token; or gives its answer again to who asks by the same key; or says why not. */
  async exchange(app: App, request: TokenRequest, idempotencyKey?: string): Promise<TokenResponse> {
    const { refresh_token: presented, scope } = request;
    if (presented === undefined) throw missingField('refresh_token');
    const attempt = attemptOf(presented, request, idempotencyKey);
    const token = await this.refreshTokens.find(app, presented);
    const answer = this.refreshTokens.isValid(token)
      ? await this.spend(token, narrow(token.scopes, scope), attempt)
      : undefined;
    return answer ?? (attempt && (await this.repeat(app, attempt))) ?? this.refreshTokens.refuse(token);
  }

  /** @returns undefined where the token is valid no more */
  private async spend(token: StoredToken, scopes: Scope[], attempt?: Attempt): Promise<TokenResponse | undefined> {
    const refreshToken = this.refreshTokens.mint();
    const respond = (): TokenResponse => {
      const accessToken = this.accessTokens.sign(token.accountId, token.appId, scopes);
      return tokenResponse({ accessToken, lifetime: this.accessTokens.lifetime, refreshToken, scopes });
    };
    const early = attempt && respond();
    const sealed = attempt && early && this.sealedAnswers.seal(attempt, early);
    const { result: isSpent, kept } = await this.refreshTokens.rotate(token, refreshToken, sealed);
    if (!isSpent) return undefined;
    const answer = early ?? respond(); // signed while the disk writes
    await kept;
    return answer;
  }

  /** The same answer again, while the refresh token in it is good: once that was used, the first answer has arrived. */
  private async repeat(app: App, attempt: Attempt): Promise<TokenResponse | undefined> {
    const answer = await this.sealedAnswers.find(attempt);
    const successor = answer && (await this.refreshTokens.find(app, answer.refresh_token));
    if (successor?.blockedAt) throw invalidGrant('blocked'); // who asks has the key, so this is no reuse by somebody else
    if (!successor || !this.refreshTokens.isValid(successor)) return undefined;
    this.metrics.replays.inc();
    return answer;
  }
}

/** The scopes of the new access token: all that were granted, or those asked for (RFC 6749 §6). */
function narrow(granted: Scope[], scope: string | undefined): Scope[] {
  if (scope === undefined) return granted;
  const asked = splitScope(scope);
  const narrowed = granted.filter((name) => asked.includes(name));
  if (asked.length === 0 || narrowed.length < asked.length) {
    throw new OAuthError('invalid_scope', 'A refresh can ask for less than the person granted, not for more.');
  }
  return narrowed;
}
