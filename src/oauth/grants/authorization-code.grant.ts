import { Injectable } from '@nestjs/common';
import type { App } from '../../apps/app.entity.js';
import { AuthorizationCodesService } from '../authorize/authorization-codes.service.js';
import { AuthorizationsService } from '../authorizations.service.js';
import { missingField } from '../oauth-error.js';
import type { TokenRequest } from '../token-request.js';
import type { TokenResponse } from '../token-response.js';
import type { Grant } from './grant.js';

/** An authorization code for the first tokens (RFC 6749 §4.1.3, RFC 7636 §4.5). */
@Injectable()
export class AuthorizationCodeGrant implements Grant {
  readonly name = 'authorization_code';

  constructor(
    private readonly codes: AuthorizationCodesService,
    private readonly authorizations: AuthorizationsService,
  ) {}

  async exchange(app: App, { code, redirect_uri, code_verifier }: TokenRequest): Promise<TokenResponse> {
    if (code === undefined) throw missingField('code');
    if (redirect_uri === undefined) throw missingField('redirect_uri');
    if (code_verifier === undefined && app.pkceRequired) throw missingField('code_verifier');
    const found = await this.codes.find(app, code, { redirectUri: redirect_uri, codeVerifier: code_verifier });
    const { granted, refreshToken } = await this.codes.redeem(app, found);
    return this.authorizations.respond(granted, refreshToken);
  }
}
