import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { ApiError } from '../../platform/http/api-error.js';
import { getClientNetworkPrefix } from '../../platform/http/network-prefix.js';
import type { RateLimitPolicy } from '../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiter } from '../../platform/rate-limiting/rate-limiter.service.js';
import type { RequestWithCaller } from './caller.decorator.js';
import { SCOPE_ACCESS } from './scopes.js';
import { Public } from '../../platform/http/public.decorator.js';
import { RequireScope } from './require-scope.decorator.js';

/** API calls of an app for a person, on routes with a read scope and on routes with a write scope. */
const READ_POLICY: RateLimitPolicy = { name: 'reads', limit: 120, windowSeconds: 60 };
const WRITE_POLICY: RateLimitPolicy = { name: 'writes', limit: 30, windowSeconds: 60 };

/** API calls without a token, from one network. */
const ANONYMOUS_POLICY: RateLimitPolicy = { name: 'anonymous', limit: 60, windowSeconds: 60 };

/** Limits API calls by app and person, or by network without a token. Runs after the scope guard. */
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

  /** Only routes that take an access token are limited here; pages and metadata are not. */
  private selectPolicy(context: ExecutionContext, { caller }: RequestWithCaller): RateLimitPolicy | undefined {
    const handler = context.getHandler();
    const scope = this.reflector.get(RequireScope, handler);
    if (scope) return SCOPE_ACCESS[scope] === 'write' ? WRITE_POLICY : READ_POLICY;
    if (this.reflector.get(Public, handler) !== 'optional-token') return undefined;
    return caller ? READ_POLICY : ANONYMOUS_POLICY;
  }
}

/** 429 for an app that calls too often. */
export function createRateLimitedError(retryAfterSeconds: string): ApiError {
  const sentence = `This app makes too many calls. Try again in ${retryAfterSeconds} seconds.`;
  return new ApiError(429, 'rate_limited', sentence);
}
