import { Injectable } from '@nestjs/common';
import type { App } from '../../clients/app.entity.js';
import { AuthorizationCodesService } from '../authorize/authorization-codes.service.js';
import { TokenIssuanceService } from '../token-issuance.service.js';
import { createMissingParamError } from '../oauth-error.js';
import type { TokenRequest } from '../token-request.dto.js';
import type { TokenResponse } from '../token-response.dto.js';
import type { Grant } from './grant.js';

/** An authorization code for the first tokens (RFC 6749 §4.1.3, RFC 7636 §4.5). */
@Injectable()
export class AuthorizationCodeGrant implements Grant {
  readonly grantType = 'authorization_code';

  constructor(
    private readonly codes: AuthorizationCodesService,
    private readonly tokenIssuance: TokenIssuanceService,
  ) {}

  async exchange(app: App, { code, redirect_uri, code_verifier }: TokenRequest): Promise<TokenResponse> {
    if (code === undefined) throw createMissingParamError('code');
    if (redirect_uri === undefined) throw createMissingParamError('redirect_uri');
    if (code_verifier === undefined && app.pkceRequired) throw createMissingParamError('code_verifier');
    const found = await this.codes.verify(app, code, { redirectUri: redirect_uri, codeVerifier: code_verifier });
    const { authorization, refreshToken } = await this.codes.redeem(app, found);
    return this.tokenIssuance.createTokenResponse(authorization, refreshToken);
  }
}
