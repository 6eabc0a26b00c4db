import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Counter } from 'prom-client';
import type { AuthenticatedRequest } from '../../platform/http/authenticated-request.js';
import { readForm } from '../../platform/http/body-reader.js';
import { getTokenUse, type TokenUse } from '../../platform/http/public.decorator.js';
import { Settings } from '../../platform/config/settings.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { AccessTokensService } from './access-tokens.service.js';
import { AppUseBufferService } from './app-use-buffer.service.js';
import { AllowFormToken, RequireScope } from './require-scope.decorator.js';
import {
  createAppDisabledError,
  createInsufficientScopeError,
  createInvalidProofError,
  createOtherKeyError,
  createOtherIssuerError,
  createOtherResourceError,
  createRepeatedTokenError,
  createTokenExpiredError,
  createTokenInvalidError,
  createTokenRequiredError,
  createWrongSchemeError,
} from './bearer-token-errors.js';
import type { Caller, RequestWithCaller } from './caller.decorator.js';
import { DpopProofError } from './dpop-proof.js';
import { DpopProofsService } from './dpop-proofs.service.js';
import { toResourceUrl } from './resources.js';
import { DisabledAppsRegistry, EndedAccessRegistry } from './ended-callers.registry.js';

/**
 * Authenticates the access token and checks its scope, before every route. It checks the
 * permissions of the app; each resource checks those of the person. A route without `@RequireScope`
 * and `@Public` is denied.
 */
@Injectable()
export class ScopeGuard implements CanActivate {
  private readonly missingScopes: Counter<'scope'>;

  constructor(
    private readonly reflector: Reflector,
    private readonly accessTokens: AccessTokensService,
    private readonly endedAccess: EndedAccessRegistry,
    private readonly disabledApps: DisabledAppsRegistry,
    private readonly appUses: AppUseBufferService,
    private readonly proofs: DpopProofsService,
    private readonly settings: Settings,
    metrics: MetricsService,
  ) {
    this.missingScopes = metrics.registerCounter({
      name: 'street_art_missing_scope_total',
      help: 'API requests that were rejected because the access token lacks this scope.',
      labelNames: ['scope'],
    });
  }

  /**
   * @throws ApiError 400 for two tokens, 401 without a valid token or after the access of the
   * account ended, 403 for a disabled app or without the scope (RFC 6750 §3.1)
   */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (this.getTokenUse(context) === 'no-token') return true;
    const credentials = parseCredentials(context.switchToHttp().getRequest<Request>().headers.authorization);
    const isCacheable = credentials?.scheme === 'Bearer' && !this.acceptsFormToken(context);
    const caller = isCacheable ? this.accessTokens.getCachedCaller(credentials.token, 'api') : undefined;
    if (caller && caller.jkt === undefined) return this.authorize(context, caller);
    return this.authenticate(context, credentials);
  }

  private async authenticate(context: ExecutionContext, header: Credentials | undefined): Promise<boolean> {
    const formTokens = (await this.readFormTokens(context)).map((token) => ({ scheme: 'Bearer', token }) as const);
    const [credentials, ...others] = header ? [header, ...formTokens] : formTokens;
    if (others.length > 0) throw createRepeatedTokenError();
    if (credentials) {
      const caller = await this.verify(credentials.token);
      await this.verifyKey(context, credentials, caller);
      return this.authorize(context, caller);
    }
    if (this.getTokenUse(context) === 'optional-token') return true;
    throw createTokenRequiredError();
  }

  /**
   * Checks that a token that is bound to a key comes with a proof of that key, and any other as
   * Bearer (RFC 9449 §7.1).
   */
  private async verifyKey(context: ExecutionContext, { scheme, token }: Credentials, { jkt }: Caller): Promise<void> {
    if (scheme === 'Bearer' && jkt === undefined) return;
    if (scheme === 'Bearer') throw createWrongSchemeError('DPoP');
    if (jkt === undefined) throw createWrongSchemeError('Bearer');
    const { headers, method, originalUrl } = context.switchToHttp().getRequest<Request>();
    const proof = headers['dpop'] as string | undefined;
    const sent = { proof, method, address: originalUrl, accessToken: token };
    const proven = await this.proofs.verify(sent).catch((error: unknown) => {
      throw error instanceof DpopProofError ? createInvalidProofError(error.message) : error;
    });
    if (proven === undefined)
      throw createInvalidProofError('The header DPoP is missing. Send a proof with each request.');
    if (proven !== jkt) throw createOtherKeyError();
  }

  private async verify(token: string): Promise<Caller> {
    const result = await this.accessTokens.verify(token, 'api');
    if (!('reason' in result)) return result;
    const { BASE_URL } = this.settings;
    switch (result.reason) {
      case 'expired':
        throw createTokenExpiredError();
      case 'other_issuer':
        throw createOtherIssuerError(result.issuer, BASE_URL);
      case 'other_resource':
        throw createOtherResourceError(toResourceUrl(BASE_URL, result.resource), toResourceUrl(BASE_URL, 'api'));
      case 'invalid':
        throw createTokenInvalidError();
    }
  }

  private authorize(context: ExecutionContext, caller: Caller): boolean {
    const request = context.switchToHttp().getRequest<RequestWithCaller & AuthenticatedRequest>();
    request.caller = caller;
    request.hasVerifiedToken = true;
    request.clientId = caller.appId;
    request.assertCallerActive = () => this.assertActive(caller);
    this.assertActive(caller);
    const requiredScope = this.reflector.get(RequireScope, context.getHandler());
    if (requiredScope && !caller.scopes.has(requiredScope)) {
      this.missingScopes.inc({ scope: requiredScope });
      throw createInsufficientScopeError(requiredScope);
    }
    this.appUses.record(caller);
    return requiredScope !== undefined || this.getTokenUse(context) === 'optional-token';
  }

  private assertActive(caller: Caller): void {
    if (this.endedAccess.has(caller)) throw createTokenInvalidError();
    if (this.disabledApps.has(caller.appId)) throw createAppDisabledError();
  }

  private getTokenUse(context: ExecutionContext): TokenUse | undefined {
    return getTokenUse(this.reflector, context.getHandler() as () => unknown, context.getClass());
  }

  private acceptsFormToken(context: ExecutionContext): boolean {
    return this.reflector.get(AllowFormToken, context.getHandler()) === true;
  }

  /**
   * The values of the form field `access_token` (RFC 6750 §2.2), if the route allows it. An
   * unreadable body has no token.
   */
  private async readFormTokens(context: ExecutionContext): Promise<string[]> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!this.acceptsFormToken(context) || !request.is('urlencoded')) return [];
    const form = await readForm(request, http.getResponse<Response>()).catch(() => new URLSearchParams());
    return form.getAll('access_token').filter(Boolean);
  }
}

/** An access token in the header `Authorization`. */
interface Credentials {
  scheme: 'Bearer' | 'DPoP';
  token: string;
}

/** Parses the header (RFC 6750 §2.1, RFC 9449 §7.1). @returns undefined for another scheme */
function parseCredentials(authorization = ''): Credentials | undefined {
  if (/^Bearer +/i.test(authorization))
    return { scheme: 'Bearer', token: authorization.slice('Bearer '.length).trim() };
  if (/^DPoP +/i.test(authorization)) return { scheme: 'DPoP', token: authorization.slice('DPoP '.length).trim() };
  return undefined;
}
