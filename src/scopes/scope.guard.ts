import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { readText } from '../http/read-text.js';
import { single } from '../http/search-params.js';
import { AccessTokens } from './access-tokens.js';
import type { GuardedRequest } from './caller.decorator.js';
import { missingScope } from './missing-scope.js';
import { Public } from './public.decorator.js';
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
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const handler = context.getHandler();
    const use = this.reflector.get(Public, handler);
    if (use === 'no-token') return true;

    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const token = bearerToken(request.headers.authorization) ?? (await this.tokenInForm(context));
    if (token === undefined && use === 'optional-token') return true;
    if (token === undefined) throw tokenRequired();

    request.caller = await this.accessTokens.verify(token);
    const needed = this.reflector.get(RequireScope, handler);
    if (needed && !request.caller.scopes.has(needed)) throw missingScope(needed);
    return needed !== undefined || use === 'optional-token';
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
