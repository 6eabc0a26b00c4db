import { All, Headers, Inject } from '@nestjs/common';
import { Public } from '../../platform/http/public.decorator.js';
import type { App } from '../apps/app.entity.js';
import { AuthenticatedClient } from './authenticated-client.decorator.js';
import { findGrant, type Grant, GRANTS } from './grants/grant.js';
import { OAuthEndpoint, OAuthPost, throwMethodNotAllowed } from './oauth-endpoint.decorator.js';
import { OAuthParams } from './oauth-params.decorator.js';
import { TokenRateLimiterService } from './token-rate-limiter.service.js';
import { TokenRequestDto } from './token-request.dto.js';
import type { TokenResponse } from './token-response.dto.js';

/** The token endpoint (RFC 6749 §3.2). */
@OAuthEndpoint('api/oauth/token')
export class TokenController {
  constructor(
    @Inject(GRANTS) private readonly grants: Grant[],
    private readonly rateLimiter: TokenRateLimiterService,
  ) {}

  @OAuthPost('token', TokenRequestDto)
  async issue(
    @AuthenticatedClient() client: App,
    @OAuthParams() params: TokenRequestDto,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<TokenResponse> {
    this.rateLimiter.assertTokenQuota(client);
    const response = await findGrant(this.grants, params.grant_type).exchange(client, params, idempotencyKey);
    this.rateLimiter.countTokenResponse(client);
    return response;
  }

  @All()
  @Public('no-token')
  rejectOtherMethods(): never {
    return throwMethodNotAllowed();
  }
}
