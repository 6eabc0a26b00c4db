import { All, Headers } from '@nestjs/common';
import { Public } from '../../platform/http/public.decorator.js';
import { OAuthParams } from './oauth-params.decorator.js';
import { OAuthEndpoint, OAuthPost, throwMethodNotAllowed } from './oauth-endpoint.decorator.js';
import { REVOKE_PARAMS, type RevokeRequest } from './token-request.dto.js';
import { TokenService } from './token.service.js';

/** The revocation endpoint (RFC 7009). */
@OAuthEndpoint('api/oauth/revoke')
export class RevokeController {
  constructor(private readonly tokens: TokenService) {}

  @OAuthPost()
  revoke(
    @OAuthParams(REVOKE_PARAMS) request: RevokeRequest,
    @Headers('authorization') authorization?: string,
  ): Promise<Record<string, never>> {
    return this.tokens.revoke(request, { authorization });
  }

  @All()
  @Public('no-token')
  rejectOtherMethods(): never {
    return throwMethodNotAllowed();
  }
}
