import { All, Headers, Inject } from '@nestjs/common';
import { Public } from '../../platform/http/public.decorator.js';
import type { App } from '../apps/app.entity.js';
import { findGrant, type Grant, GRANTS } from './grants/grant.js';
import {
  AuthenticatedClient,
  OAuthEndpoint,
  OAuthParams,
  OAuthPost,
  throwMethodNotAllowed,
} from './oauth-endpoint.decorator.js';
import { createTokenRateLimitedError } from './oauth-error.filter.js';
import { TokenRateLimiterService } from './token-rate-limiter.service.js';
import { TokenRequestDto, type TokenResponse } from './token.dto.js';
import { UncertainCommitsService } from './uncertain-commits.service.js';

/** The token endpoint (RFC 6749 §3.2). */
@OAuthEndpoint('api/oauth/token')
export class TokenController {
  constructor(
    @Inject(GRANTS) private readonly grants: Grant[],
    private readonly rateLimiter: TokenRateLimiterService,
    private readonly uncertainCommits: UncertainCommitsService,
  ) {}

  @OAuthPost('token', TokenRequestDto)
  async issue(
    @AuthenticatedClient() client: App,
    @OAuthParams() params: TokenRequestDto,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<TokenResponse> {
    const { isExceeded, policy, headers } = this.rateLimiter.peekTokenQuota(client);
    if (isExceeded) throw createTokenRateLimitedError(policy.limit, headers);
    const exchange = await findGrant(this.grants, params.grant_type).prepare(client, params, idempotencyKey);
    const response = await this.uncertainCommits.runWithCertainty(exchange);
    this.rateLimiter.countTokenResponse(client);
    return response;
  }

  @All()
  @Public('no-token')
  rejectOtherMethods(): never {
    return throwMethodNotAllowed();
  }
}
