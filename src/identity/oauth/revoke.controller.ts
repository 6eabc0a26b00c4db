import { All } from '@nestjs/common';
import { Public } from '../../platform/http/public.decorator.js';
import type { App } from '../apps/app.entity.js';
import {
  AuthenticatedClient,
  OAuthEndpoint,
  OAuthParams,
  OAuthPost,
  throwMethodNotAllowed,
} from './oauth-endpoint.decorator.js';
import { createMissingParamError } from './oauth-error.js';
import { RefreshTokenService } from './refresh-token.service.js';
import { TokenRateLimiterService } from './token-rate-limiter.service.js';
import { RevokeRequestDto } from './token.dto.js';

/** The revocation endpoint (RFC 7009). */
@OAuthEndpoint('api/oauth/revoke')
export class RevokeController {
  constructor(
    private readonly refreshTokens: RefreshTokenService,
    private readonly rateLimiter: TokenRateLimiterService,
  ) {}

  /** The response is the same for any token, known or unknown (RFC 7009 §2.2). */
  @OAuthPost('revoke', RevokeRequestDto)
  async revoke(
    @AuthenticatedClient() client: App,
    @OAuthParams() { token }: RevokeRequestDto,
  ): Promise<Record<string, never>> {
    if (token === undefined) throw createMissingParamError('token');
    if (!(await this.refreshTokens.revoke(client, token))) await this.rateLimiter.countUnknownRevocation(client);
    return {};
  }

  @All()
  @Public('no-token')
  rejectOtherMethods(): never {
    return throwMethodNotAllowed();
  }
}
