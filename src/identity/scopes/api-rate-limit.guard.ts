import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { ApiError } from '../../platform/http/api-error.js';
import { getClientNetworkPrefix } from '../../platform/http/network-prefix.js';
import { Public } from '../../platform/http/public.decorator.js';
import type { RateLimitPolicy } from '../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiter } from '../../platform/rate-limiting/rate-limiter.service.js';
import type { RequestWithCaller } from './caller.decorator.js';
import { RequireScope } from './require-scope.decorator.js';
import { SCOPE_ACCESS } from './scopes.js';

/** Calls of an app for one account: routes with a read scope, and routes with a write scope. */
const READ_POLICY: RateLimitPolicy = { name: 'reads', limit: 120, windowSeconds: 60 };
const WRITE_POLICY: RateLimitPolicy = { name: 'writes', limit: 30, windowSeconds: 60 };

/** Calls without a token from one network. */
const ANONYMOUS_POLICY: RateLimitPolicy = { name: 'anonymous', limit: 60, windowSeconds: 60 };

/**
 * Limits API calls by app and account, or by network without a token. Runs after the scope guard.
 */
@Injectable()
export class ApiRateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly rateLimiter: RateLimiter,
  ) {}

  /** @throws ApiError 429 `rate_limited` */
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<RequestWithCaller>(), http.getResponse<Response>()];
    const policy = this.selectPolicy(context, request);
    if (!policy) return true;
    const key = request.caller ? `${request.caller.appId} ${request.caller.accountId}` : getClientNetworkPrefix();
    const { isExceeded, headers } = this.rateLimiter.consume(policy, key);
    response.set(headers);
    if (isExceeded) throw createRateLimitedError(headers['Retry-After']!);
    // A 304 is free, but only for a named entity tag: `*` would make every call free.
    if (request.headers['if-none-match']?.includes('"')) {
      response.once('finish', () => response.statusCode === 304 && this.rateLimiter.refund(policy, key));
    }
    return true;
  }

  /** Only routes that accept an access token are limited here; pages and metadata are not. */
  private selectPolicy(context: ExecutionContext, { caller }: RequestWithCaller): RateLimitPolicy | undefined {
    const handler = context.getHandler();
    const scope = this.reflector.get(RequireScope, handler);
    if (scope) return SCOPE_ACCESS[scope] === 'write' ? WRITE_POLICY : READ_POLICY;
    if (this.reflector.get(Public, handler) !== 'optional-token') return undefined;
    return caller ? READ_POLICY : ANONYMOUS_POLICY;
  }
}

/** Creates the 429 for an app that exceeds a limit. */
export function createRateLimitedError(retryAfterSeconds: string): ApiError {
  return new ApiError(429, 'rate_limited', `Too many requests. Try again in ${retryAfterSeconds} seconds.`);
}
