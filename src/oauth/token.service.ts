import { Inject, Injectable } from '@nestjs/common';
import { AppRequests } from './app-requests.js';
import { type Grant, GRANTS } from './grants/grant.js';
import { missingField, OAuthError } from './oauth-error.js';
import { RefreshTokenService } from './refresh-token.service.js';
import type { RevokeRequest, TokenRequest } from './token-request.js';
import type { TokenResponse } from './token-response.js';

/** The headers of a request that count, besides its body. */
export interface TokenHeaders {
  authorization: string | undefined;
  idempotencyKey?: string | undefined;
}

/** What the token and revoke endpoints do, step by step; the body was read before. */
@Injectable()
export class TokenService {
  constructor(
    private readonly requests: AppRequests,
    @Inject(GRANTS) private readonly grants: Grant[],
    private readonly refreshTokens: RefreshTokenService,
  ) {}

  /** RFC 6749 §3.2: who asks, by which grant, and then the grant itself. */
  issue(fields: TokenRequest, { authorization, idempotencyKey }: TokenHeaders): Promise<TokenResponse> {
    const grant = this.grants.find(({ name }) => name === fields.grant_type);
    return this.requests.answer(
      { endpoint: 'token', grant: grant?.name ?? 'none', fields, authorization },
      async (app) => {
        if (!grant) throw this.unsupported();
        return grant.exchange(app, fields, idempotencyKey);
      },
    );
  }

  /** RFC 7009 §2: the answer is the same for any token, known or not. */
  revoke(fields: RevokeRequest, { authorization }: TokenHeaders): Promise<Record<string, never>> {
    return this.requests.answer({ endpoint: 'revoke', grant: 'none', fields, authorization }, async (app) => {
      if (fields.token === undefined) throw missingField('token');
      await this.refreshTokens.revoke(app, fields.token);
      return {};
    });
  }

  private unsupported(): OAuthError {
    const names = this.grants.map(({ name }) => name).join(' or ');
    return new OAuthError('unsupported_grant_type', `The field grant_type must be ${names}.`);
  }
}
