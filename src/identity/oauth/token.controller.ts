import { All, Headers, Inject } from '@nestjs/common';
import { Public } from '../../platform/http/public.decorator.js';
import type { App } from '../clients/app.entity.js';
import { AuthenticatedClient } from './authenticated-client.decorator.js';
import { findGrant, type Grant, GRANTS } from './grants/grant.js';
import { OAuthEndpoint, OAuthPost, throwMethodNotAllowed } from './oauth-endpoint.decorator.js';
import { OAuthParams } from './oauth-params.decorator.js';
import { TokenRequestDto } from './token-request.dto.js';
import type { TokenResponse } from './token-response.dto.js';

/** The token endpoint (RFC 6749 §3.2). */
@OAuthEndpoint('api/oauth/token')
export class TokenController {
  constructor(@Inject(GRANTS) private readonly grants: Grant[]) {}

  @OAuthPost('token', TokenRequestDto)
  issue(
    @AuthenticatedClient() client: App,
    @OAuthParams() params: TokenRequestDto,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<TokenResponse> {
    return findGrant(this.grants, params.grant_type).exchange(client, params, idempotencyKey);
  }

  @All()
  @Public('no-token')
  rejectOtherMethods(): never {
    return throwMethodNotAllowed();
  }
}
