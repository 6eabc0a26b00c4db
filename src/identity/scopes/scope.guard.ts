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
  createOtherIssuerError,
  createOtherResourceError,
  createRepeatedTokenError,
  createTokenExpiredError,
  createTokenInvalidError,
  createTokenRequiredError,
} from './bearer-token-errors.js';
import type { Caller, RequestWithCaller } from './caller.decorator.js';
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
    const token = parseBearerToken(context.switchToHttp().getRequest<Request>().headers.authorization);
    const isCacheable = token !== undefined && !this.acceptsFormToken(context);
    const caller = isCacheable ? this.accessTokens.getCachedCaller(token, 'api') : undefined;
    return caller ? this.authorize(context, caller) : this.authenticate(context, token);
  }

  private async authenticate(context: ExecutionContext, headerToken: string | undefined): Promise<boolean> {
    const tokens = [...(headerToken === undefined ? [] : [headerToken]), ...(await this.readFormTokens(context))];
    if (tokens.length > 1) throw createRepeatedTokenError();
    const [token] = tokens;
    if (token !== undefined) return this.authorize(context, await this.verify(token));
    if (this.getTokenUse(context) === 'optional-token') return true;
    throw createTokenRequiredError();
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

/** The token of a `Bearer` header (RFC 6750 §2.1); undefined for another scheme. */
function parseBearerToken(authorization = ''): string | undefined {
  return /^Bearer +/i.test(authorization) ? authorization.slice('Bearer '.length).trim() : undefined;
}
