import { All, Body, Headers, HttpCode, Post } from '@nestjs/common';
import { Public } from '../scopes/public.decorator.js';
import { OAuthEndpoint, onlyPost } from './oauth-endpoint.js';
import { OAuthRequestPipe } from './oauth-request.pipe.js';
import { RevokeRequest } from './token-request.dto.js';
import { TokenService } from './token.service.js';

/** The revocation endpoint (RFC 7009). */
@OAuthEndpoint('api/oauth/revoke')
export class RevokeController {
  constructor(private readonly tokens: TokenService) {}

  @Post()
  @HttpCode(200)
  @Public('no-token')
  revoke(
    @Body(OAuthRequestPipe) request: RevokeRequest,
    @Headers('authorization') authorization?: string,
  ): Promise<Record<string, never>> {
    return this.tokens.revoke(request, authorization);
  }

  @All()
  @Public('no-token')
  other(): never {
    return onlyPost();
  }
}
