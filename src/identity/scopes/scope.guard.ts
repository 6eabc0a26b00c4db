import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { readBodyText } from '../../platform/http/body-reader.js';
import { getSingleParam } from '../../platform/http/search-params.decorator.js';
import { MetricsService } from '../../platform/metrics/metrics.service.js';
import { AccessTokensService } from './access-tokens.service.js';
import type { Caller, RequestWithCaller } from './caller.decorator.js';
import { createInsufficientScopeError } from './insufficient-scope-error.js';
import { Public, type TokenUse } from '../../platform/http/public.decorator.js';
import { RequireScope } from './require-scope.decorator.js';
import { AllowFormToken } from './allow-form-token.decorator.js';
import { createTokenRequiredError } from './bearer-token-errors.js';

/**
 * The scope gate before every route: may this app do this? What the person may do is asked beneath, by each resource.
 * A route that says neither `@RequireScope` nor `@Public` is refused, and the service does not start with one.
 */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly accessTokens: AccessTokensService,
    private readonly metrics: MetricsService,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (this.getTokenUse(context) === 'no-token') return true;
    const token = parseBearerToken(context.switchToHttp().getRequest<Request>().headers.authorization);
    const caller = token === undefined ? undefined : this.accessTokens.getCachedCaller(token);
    return caller ? this.authorize(context, caller) : this.authenticate(context, token);
  }

  private async authenticate(context: ExecutionContext, inHeader: string | undefined): Promise<boolean> {
    const token = inHeader ?? (await this.readFormToken(context));
    if (token !== undefined) return this.authorize(context, await this.accessTokens.verify(token));
    if (this.getTokenUse(context) === 'optional-token') return true;
    throw createTokenRequiredError();
  }

  private authorize(context: ExecutionContext, caller: Caller): boolean {
    context.switchToHttp().getRequest<RequestWithCaller>().caller = caller;
    const needed = this.reflector.get(RequireScope, context.getHandler());
    if (needed && !caller.scopes.has(needed)) {
      this.metrics.missingScopes.inc({ scope: needed });
      throw createInsufficientScopeError(needed);
    }
    return needed !== undefined || this.getTokenUse(context) === 'optional-token';
  }

  private getTokenUse(context: ExecutionContext): TokenUse | undefined {
    return this.reflector.get(Public, context.getHandler());
  }

  /** The token of a form (RFC 6750 §2.2), where the route takes one so, and it can be read. */
  private async readFormToken(context: ExecutionContext): Promise<string | undefined> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!this.reflector.get(AllowFormToken, context.getHandler()) || !request.is('urlencoded')) return undefined;
    const text = await readBodyText(request, http.getResponse<Response>()).catch(() => '');
    return getSingleParam(new URLSearchParams(text), 'access_token');
  }
}

/** The token of a `Bearer` header (RFC 6750 §2.1); undefined where there is no such header. */
function parseBearerToken(authorization = ''): string | undefined {
  return /^Bearer +/i.test(authorization) ? authorization.slice('Bearer '.length).trim() : undefined;
}
