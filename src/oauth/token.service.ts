import { Inject, Injectable } from '@nestjs/common';
import { AppCredentials } from './app-credentials.js';
import { type Grant, GRANTS } from './grants/grant.js';
import { OAuthError } from './oauth-error.js';
import { RefreshTokenService } from './refresh-token.service.js';
import type { RevokeRequest, TokenRequest } from './token-request.js';
import type { TokenResponse } from './token-response.js';

/** What the token and revoke endpoints do, step by step; the body was read before. */
@Injectable()
export class TokenService {
  constructor(
    private readonly credentials: AppCredentials,
    @Inject(GRANTS) private readonly grants: Grant[],
    private readonly refreshTokens: RefreshTokenService,
  ) {}

  /** RFC 6749 §3.2: who asks, by which grant, and then the grant itself. */
  async issue(request: TokenRequest, authorization: string | undefined): Promise<TokenResponse> {
    const app = await this.credentials.verify(request, authorization);
    const grant = this.grants.find(({ name }) => name === request.grant_type);
    if (!grant) throw this.unsupported();
    return grant.exchange(app, request);
  }

  /** RFC 7009 §2: the answer is the same for any token, known or not. */
  async revoke(request: RevokeRequest, authorization: string | undefined): Promise<Record<string, never>> {
    const app = await this.credentials.verify(request, authorization);
    if (request.token === undefined) throw new OAuthError('invalid_request', 'The field token is missing.');
    await this.refreshTokens.revoke(app, request.token);
    return {};
  }

  private unsupported(): OAuthError {
    const names = this.grants.map(({ name }) => name).join(' or ');
    return new OAuthError('unsupported_grant_type', `The field grant_type must be ${names}.`);
  }
}
