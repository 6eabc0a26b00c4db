import { Inject, Injectable } from '@nestjs/common';
import { ClientAuthGuard } from './client-auth.guard.js';
import { type Grant, GRANTS } from './grants/grant.js';
import { createMissingParamError, OAuthError } from './oauth-error.js';
import { RefreshTokensService } from './refresh-tokens.service.js';
import type { RevokeRequest, TokenRequest } from './token-request.dto.js';
import type { TokenResponse } from './token-response.dto.js';

/** The headers of a request that count, besides its body. */
export interface TokenHeaders {
  authorization: string | undefined;
  idempotencyKey?: string | undefined;
}

/** What the token and revoke endpoints do, step by step; the body was read before. */
@Injectable()
export class TokenService {
  constructor(
    private readonly clientAuth: ClientAuthGuard,
    @Inject(GRANTS) private readonly grants: Grant[],
    private readonly refreshTokens: RefreshTokensService,
  ) {}

  /** RFC 6749 §3.2: who asks, by which grant, and then the grant itself. */
  issue(fields: TokenRequest, { authorization, idempotencyKey }: TokenHeaders): Promise<TokenResponse> {
    const grant = this.grants.find(({ grantType }) => grantType === fields.grant_type);
    return this.clientAuth.handle(
      { endpoint: 'token', grant: grant?.grantType ?? 'none', params: fields, authorization },
      async (app) => {
        if (!grant) throw this.createUnsupportedGrantTypeError();
        return grant.exchange(app, fields, idempotencyKey);
      },
    );
  }

  /** RFC 7009 §2: the answer is the same for any token, known or not. */
  revoke(fields: RevokeRequest, { authorization }: TokenHeaders): Promise<Record<string, never>> {
    return this.clientAuth.handle({ endpoint: 'revoke', grant: 'none', params: fields, authorization }, async (app) => {
      if (fields.token === undefined) throw createMissingParamError('token');
      await this.refreshTokens.revoke(app, fields.token);
      return {};
    });
  }

  private createUnsupportedGrantTypeError(): OAuthError {
    const names = this.grants.map(({ grantType }) => grantType).join(' or ');
    return new OAuthError('unsupported_grant_type', `The field grant_type must be ${names}.`);
  }
}
