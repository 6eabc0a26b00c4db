import { Injectable } from '@nestjs/common';
import type { App } from '../../apps/app.entity.js';
import { AccessTokens } from '../../scopes/access-tokens.js';
import { type Scope, splitScope } from '../../scopes/catalogue.js';
import { OAuthError } from '../oauth-error.js';
import { RefreshTokenService } from '../refresh-token.service.js';
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
  ) {}

  async exchange(app: App, { refresh_token: presented, scope }: TokenRequest): Promise<TokenResponse> {
    if (presented === undefined) throw new OAuthError('invalid_request', 'The field refresh_token is missing.');
    const token = await this.refreshTokens.find(app, presented);
    const scopes = narrow(token.scopes, scope);
    const { result: refreshToken, kept } = await this.refreshTokens.rotate(token);
    const accessToken = this.accessTokens.sign(token.accountId, app.id, scopes); // while the disk writes
    await kept;
    return tokenResponse({ accessToken, lifetime: this.accessTokens.lifetime, refreshToken, scopes });
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
