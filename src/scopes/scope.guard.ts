import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { readText } from '../http/read-text.js';
import { single } from '../http/search-params.js';
import { Metrics } from '../metrics/metrics.js';
import { AccessTokens } from './access-tokens.js';
import type { Caller, GuardedRequest } from './caller.decorator.js';
import { missingScope } from './missing-scope.js';
import { Public, type TokenUse } from './public.decorator.js';
import { RequireScope } from './require-scope.decorator.js';
import { TokenInForm } from './token-in-form.decorator.js';
import { tokenRequired } from './token-refusals.js';

/**
 * The scope gate before every route: may this app do this? What the person may do is asked beneath, by each resource.
 * A route that says neither `@RequireScope` nor `@Public` is refused, and the service does not start with one.
 */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly accessTokens: AccessTokens,
    private readonly metrics: Metrics,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (this.tokenUse(context) === 'no-token') return true;
    const token = bearerToken(context.switchToHttp().getRequest<Request>().headers.authorization);
    const caller = token === undefined ? undefined : this.accessTokens.remembered(token);
    return caller ? this.admit(context, caller) : this.identify(context, token);
  }

  private async identify(context: ExecutionContext, inHeader: string | undefined): Promise<boolean> {
    const token = inHeader ?? (await this.tokenInForm(context));
    if (token !== undefined) return this.admit(context, await this.accessTokens.verify(token));
    if (this.tokenUse(context) === 'optional-token') return true;
    throw tokenRequired();
  }

  private admit(context: ExecutionContext, caller: Caller): boolean {
    context.switchToHttp().getRequest<GuardedRequest>().caller = caller;
    const needed = this.reflector.get(RequireScope, context.getHandler());
    if (needed && !caller.scopes.has(needed)) {
      this.metrics.missingScopes.inc({ scope: needed });
      throw missingScope(needed);
    }
    return needed !== undefined || this.tokenUse(context) === 'optional-token';
  }

  private tokenUse(context: ExecutionContext): TokenUse | undefined {
    return this.reflector.get(Public, context.getHandler());
  }

  /** The token of a form (RFC 6750 §2.2), where the route takes one so, and it can be read. */
  private async tokenInForm(context: ExecutionContext): Promise<string | undefined> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!this.reflector.get(TokenInForm, context.getHandler()) || !request.is('urlencoded')) return undefined;
    const text = await readText(request, http.getResponse<Response>()).catch(() => '');
    return single(new URLSearchParams(text), 'access_token');
  }
}

/** The token of a `Bearer` header (RFC 6750 §2.1); undefined where there is no such header. */
function bearerToken(authorization = ''): string | undefined {
  return /^Bearer +/i.test(authorization) ? authorization.slice('Bearer '.length).trim() : undefined;
}
