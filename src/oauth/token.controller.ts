import { All, Body, Headers, HttpCode, Post } from '@nestjs/common';
import { Public } from '../scopes/public.decorator.js';
import { OAuthEndpoint, onlyPost } from './oauth-endpoint.js';
import { OAuthRequestPipe } from './oauth-request.pipe.js';
import { TokenRequest } from './token-request.dto.js';
import type { TokenResponse } from './token-response.js';
import { TokenService } from './token.service.js';

/** The token endpoint (RFC 6749 §3.2). */
@OAuthEndpoint('api/oauth/token')
export class TokenController {
  constructor(private readonly tokens: TokenService) {}

  @Post()
  @HttpCode(200)
  @Public('no-token')
  issue(
    @Body(OAuthRequestPipe) request: TokenRequest,
    @Headers('authorization') authorization?: string,
  ): Promise<TokenResponse> {
    return this.tokens.issue(request, authorization);
  }

  @All()
  @Public('no-token')
  other(): never {
    return onlyPost();
  }
}
