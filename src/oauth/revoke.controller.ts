import { All, Headers } from '@nestjs/common';
import { Public } from '../scopes/public.decorator.js';
import { Fields } from './fields.decorator.js';
import { OAuthEndpoint, OAuthPost, onlyPost } from './oauth-endpoint.js';
import { REVOKE_FIELDS, type RevokeRequest } from './token-request.js';
import { TokenService } from './token.service.js';

/** The revocation endpoint (RFC 7009). */
@OAuthEndpoint('api/oauth/revoke')
export class RevokeController {
  constructor(private readonly tokens: TokenService) {}

  @OAuthPost()
  revoke(
    @Fields(REVOKE_FIELDS) request: RevokeRequest,
    @Headers('authorization') authorization?: string,
  ): Promise<Record<string, never>> {
    return this.tokens.revoke(request, { authorization });
  }

  @All()
  @Public('no-token')
  other(): never {
    return onlyPost();
  }
}
