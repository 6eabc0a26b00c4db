import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { readForm } from '../../platform/http/body-reader.js';
import { getTokenUse, type TokenUse } from '../../platform/http/public.decorator.js';
import { createInsufficientScopeError, createTokenRequiredError } from './bearer-token-errors.js';
import type { Caller } from './caller.decorator.js';
import { CallerLoader } from './caller.loader.js';
import { AllowFormToken, RequireScope } from './require-scope.decorator.js';

/**
 * Authenticates the access token and checks its scope, before every route. It checks the
 * permissions of the app; each resource checks those of the person. A route without `@RequireScope`
 * and `@Public` is denied.
 */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly callers: CallerLoader,
  ) {}

  /**
   * @throws ApiError 400 for two tokens, 401 without a valid token or after the access of the
   * account ended, 403 for a disabled app or without the scope (RFC 6750 §3.1)
   */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (this.getTokenUse(context) === 'no-token') return true;
    const request = context.switchToHttp().getRequest<Request>();
    const caller = this.acceptsFormToken(context) ? undefined : this.callers.loadCached(request, 'api');
    return caller ? this.authorize(context, caller) : this.authenticate(context, request);
  }

  private async authenticate(context: ExecutionContext, request: Request): Promise<boolean> {
    const caller = await this.callers.load(request, 'api', await this.readFormTokens(context));
    if (caller) return this.authorize(context, caller);
    if (this.getTokenUse(context) === 'optional-token') return true;
    throw createTokenRequiredError();
  }

  private authorize(context: ExecutionContext, caller: Caller): boolean {
    const requiredScope = this.reflector.get(RequireScope, context.getHandler());
    const [missing] = this.callers.findMissingScopes(caller, requiredScope ? [requiredScope] : []);
    if (missing) throw createInsufficientScopeError(missing);
    return requiredScope !== undefined || this.getTokenUse(context) === 'optional-token';
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
