import { All, Headers } from '@nestjs/common';
import { Public } from '../../platform/http/public.decorator.js';
import { OAuthParams } from './oauth-params.decorator.js';
import { OAuthEndpoint, OAuthPost, throwMethodNotAllowed } from './oauth-endpoint.decorator.js';
import { TOKEN_PARAMS, type TokenRequest } from './token-request.dto.js';
import type { TokenResponse } from './token-response.dto.js';
import { TokenService } from './token.service.js';

/** The token endpoint (RFC 6749 §3.2). */
@OAuthEndpoint('api/oauth/token')
export class TokenController {
  constructor(private readonly tokens: TokenService) {}

  @OAuthPost()
  issue(
    @OAuthParams(TOKEN_PARAMS) request: TokenRequest,
    @Headers('authorization') authorization?: string,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<TokenResponse> {
    return this.tokens.issue(request, { authorization, idempotencyKey });
  }

  @All()
  @Public('no-token')
  rejectOtherMethods(): never {
    return throwMethodNotAllowed();
  }
}
