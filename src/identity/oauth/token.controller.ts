import { All, Headers, Inject, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Public } from '../../platform/http/public.decorator.js';
import type { App } from '../apps/app.entity.js';
import { DpopProofError } from '../scopes/dpop-proof.js';
import { DpopProofsService } from '../scopes/dpop-proofs.service.js';
import { findGrant, type Grant, GRANTS } from './grants/grant.js';
import {
  AuthenticatedClient,
  OAuthEndpoint,
  OAuthParams,
  OAuthPost,
  throwMethodNotAllowed,
} from './oauth-endpoint.decorator.js';
import { OAuthError } from './oauth-error.js';
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
    private readonly proofs: DpopProofsService,
  ) {}

  @OAuthPost('token', TokenRequestDto)
  async issue(
    @AuthenticatedClient() client: App,
    @OAuthParams() params: TokenRequestDto,
    @Req() request: Request,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<TokenResponse> {
    const { isExceeded, policy, headers } = this.rateLimiter.peekTokenQuota(client);
    if (isExceeded) throw createTokenRateLimitedError(policy.limit, headers);
    const grant = findGrant(this.grants, params.grant_type);
    const jkt = await this.verifyProof(request);
    const exchange = await grant.prepare(client, params, { idempotencyKey, jkt });
    const response = await this.uncertainCommits.runWithCertainty(exchange);
    this.rateLimiter.countTokenResponse(client);
    return response;
  }

  /** @throws OAuthError `invalid_dpop_proof` (RFC 9449 §5) */
  private verifyProof({ headers, method, originalUrl }: Request): Promise<string | undefined> {
    const sent = { proof: headers['dpop'] as string | undefined, method, address: originalUrl };
    return this.proofs.verify(sent).catch((error: unknown) => {
      throw error instanceof DpopProofError ? new OAuthError('invalid_dpop_proof', error.message) : error;
    });
  }

  @All()
  @Public('no-token')
  rejectOtherMethods(): never {
    return throwMethodNotAllowed();
  }
}
