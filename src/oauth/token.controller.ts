import { All, Body, Controller, Headers, HttpCode, Post, UseFilters, UseInterceptors } from '@nestjs/common';
import { Public } from '../scopes/public.decorator.js';
import { onlyPost } from './method-not-allowed.js';
import { OAuthBody } from './oauth-body.interceptor.js';
import { OAuthErrorFilter } from './oauth-error.filter.js';
import { OAuthRequestPipe } from './oauth-request.pipe.js';
import { TokenRequest } from './token-request.dto.js';
import type { TokenResponse } from './token-response.js';
import { TokenService } from './token.service.js';

/** The token endpoint (RFC 6749 §3.2). */
@Controller('api/oauth/token')
@UseInterceptors(OAuthBody)
@UseFilters(OAuthErrorFilter)
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
