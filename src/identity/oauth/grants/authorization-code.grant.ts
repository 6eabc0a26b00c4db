import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import type { App } from '../../apps/app.entity.js';
import { AuthorizationCodesService } from '../authorize/authorization-codes.service.js';
import { CodeRedemptionService, type Redemption } from '../authorize/code-redemption.service.js';
import { type Resource, selectResource } from '../../scopes/resources.js';
import {
  createMissingParamError,
  createUnrequestedResourceError,
  OAuthError,
  parseRequestedResource,
} from '../oauth-error.js';
import { TokenIssuanceService } from '../token-issuance.service.js';
import type { TokenRequestDto, TokenResponse } from '../token.dto.js';
import type { UndoableAttempt } from '../uncertain-commits.service.js';
import type { Grant, GrantHeaders } from './grant.js';

/** Exchanges an authorization code for the first tokens (RFC 6749 §4.1.3, RFC 7636 §4.5). */
@Injectable()
export class AuthorizationCodeGrant implements Grant {
  readonly grantType = 'authorization_code';

  constructor(
    private readonly codes: AuthorizationCodesService,
    private readonly codeRedemption: CodeRedemptionService,
    private readonly tokenIssuance: TokenIssuanceService,
    private readonly settings: Settings,
  ) {}

  async prepare(
    client: App,
    { code, redirect_uri, code_verifier, resource: sentResource }: TokenRequestDto,
    { jkt }: GrantHeaders,
  ): Promise<UndoableAttempt<TokenResponse>> {
    if (code === undefined) throw createMissingParamError('code');
    if (code_verifier === undefined && client.pkceRequired) throw createMissingParamError('code_verifier');
    // With PKCE, the verifier binds the code to its request (OAuth 2.1, draft 16, §10.2).
    if (redirect_uri === undefined && code_verifier === undefined) throw createMissingParamError('redirect_uri');
    if (code_verifier !== undefined) assertCodeVerifier(code_verifier);
    const params = { redirectUri: redirect_uri, codeVerifier: code_verifier, jkt };
    const requested = parseRequestedResource(this.settings, sentResource);
    const issued = await this.codes.verify(client, code, params);
    const resource = selectResource(issued.resources, requested);
    if (!resource) throw createUnrequestedResourceError();
    const redemption: Redemption = { app: client, code: issued, jkt };
    return {
      run: () => this.exchange(redemption, resource),
      undo: () => this.codeRedemption.undo(redemption),
      getSubject: () => ({ app_id: client.id, account_id: redemption.code.accountId }),
    };
  }

  private async exchange(redemption: Redemption, resource: Resource): Promise<TokenResponse> {
    const { authorization, refreshToken } = await this.codeRedemption.redeem(redemption);
    return this.tokenIssuance.createTokenResponse(authorization, refreshToken, resource, redemption.jkt);
  }
}

/** Rejects a code verifier that no client may create (RFC 7636 §4.1). */
function assertCodeVerifier(codeVerifier: string): void {
  if (/^[\w.~-]{43,128}$/.test(codeVerifier)) return;
  const characters = 'letters A to Z, digits, hyphens, periods, underscores and tildes';
  throw new OAuthError('invalid_request', `code_verifier must have 43 to 128 characters: ${characters}.`);
}
