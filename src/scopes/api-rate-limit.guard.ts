import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { ApiError } from '../http/api-error.js';
import { networkOfCaller } from '../http/network.js';
import type { RateLimitPolicy } from '../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiter } from '../platform/rate-limiting/rate-limiter.service.js';
import type { GuardedRequest } from './caller.decorator.js';
import { ACCESS } from './catalogue.js';
import { Public } from './public.decorator.js';
import { RequireScope } from './require-scope.decorator.js';

/** API calls of an app for a person, on routes with a read scope and on routes with a write scope. */
const READS: RateLimitPolicy = { name: 'reads', limit: 120, windowSeconds: 60 };
const WRITES: RateLimitPolicy = { name: 'writes', limit: 30, windowSeconds: 60 };

/** API calls without a token, from one network. */
const ANONYMOUS: RateLimitPolicy = { name: 'anonymous', limit: 60, windowSeconds: 60 };

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
    const [request, response] = [http.getRequest<GuardedRequest>(), http.getResponse<Response>()];
    const policy = this.policyFor(context, request);
    if (!policy) return true;
    const key = request.caller ? `${request.caller.appId} ${request.caller.accountId}` : networkOfCaller();
    const { isExceeded, headers } = this.rateLimiter.consume(policy, key);
    response.set(headers);
    if (isExceeded) throw rateLimited(headers['Retry-After']!);
    // A 304 is free, but only for a named entity tag: `*` would make every call free.
    if (request.headers['if-none-match']?.includes('"')) {
      response.once('finish', () => response.statusCode === 304 && this.rateLimiter.refund(policy, key));
    }
    return true;
  }

  /** Only routes that take an access token are limited here; pages and metadata are not. */
  private policyFor(context: ExecutionContext, { caller }: GuardedRequest): RateLimitPolicy | undefined {
    const handler = context.getHandler();
    const scope = this.reflector.get(RequireScope, handler);
    if (scope) return ACCESS[scope] === 'write' ? WRITES : READS;
    if (this.reflector.get(Public, handler) !== 'optional-token') return undefined;
    return caller ? READS : ANONYMOUS;
  }
}

/** 429 for an app that calls too often. */
export function rateLimited(retryAfterSeconds: string): ApiError {
  const sentence = `This app makes too many calls. Try again in ${retryAfterSeconds} seconds.`;
  return new ApiError(429, 'rate_limited', sentence);
}
