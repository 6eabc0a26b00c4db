import { Injectable } from '@nestjs/common';
import type { App } from '../../apps/app.entity.js';
import { AuthorizationCodesService } from '../authorize/authorization-codes.service.js';
import { CodeRedemptionService } from '../authorize/code-redemption.service.js';
import { createMissingParamError } from '../oauth-error.js';
import { TokenIssuanceService } from '../token-issuance.service.js';
import type { TokenRequestDto } from '../token-request.dto.js';
import type { TokenResponse } from '../token-response.dto.js';
import type { Grant } from './grant.js';

/** Exchanges an authorization code for the first tokens (RFC 6749 §4.1.3, RFC 7636 §4.5). */
@Injectable()
export class AuthorizationCodeGrant implements Grant {
  readonly grantType = 'authorization_code';

  constructor(
    private readonly codes: AuthorizationCodesService,
    private readonly codeRedemption: CodeRedemptionService,
    private readonly tokenIssuance: TokenIssuanceService,
  ) {}

  async exchange(client: App, { code, redirect_uri, code_verifier }: TokenRequestDto): Promise<TokenResponse> {
    if (code === undefined) throw createMissingParamError('code');
    if (redirect_uri === undefined) throw createMissingParamError('redirect_uri');
    if (code_verifier === undefined && client.pkceRequired) throw createMissingParamError('code_verifier');
    const verified = await this.codes.verify(client, code, { redirectUri: redirect_uri, codeVerifier: code_verifier });
    const { authorization, refreshToken } = await this.codeRedemption.redeem(client, verified);
    return this.tokenIssuance.createTokenResponse(authorization, refreshToken);
  }
}
