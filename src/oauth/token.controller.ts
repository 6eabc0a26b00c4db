import { All, Headers } from '@nestjs/common';
import { Public } from '../scopes/public.decorator.js';
import { Fields } from './fields.decorator.js';
import { OAuthEndpoint, OAuthPost, onlyPost } from './oauth-endpoint.js';
import { TOKEN_FIELDS, type TokenRequest } from './token-request.js';
import type { TokenResponse } from './token-response.js';
import { TokenService } from './token.service.js';

/** The token endpoint (RFC 6749 §3.2). */
@OAuthEndpoint('api/oauth/token')
export class TokenController {
  constructor(private readonly tokens: TokenService) {}

  @OAuthPost()
  issue(
    @Fields(TOKEN_FIELDS) request: TokenRequest,
    @Headers('authorization') authorization?: string,
    @Headers('Idempotency-Key') idempotencyKey?: string,
  ): Promise<TokenResponse> {
    return this.tokens.issue(request, { authorization, idempotencyKey });
  }

  @All()
  @Public('no-token')
  other(): never {
    return onlyPost();
  }
}
