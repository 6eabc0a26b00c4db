import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { Settings } from '../../platform/config/settings.js';
import { ApiError } from '../../platform/http/api-error.js';
import { getClientNetworkPrefix } from '../../platform/http/client-address.js';
import { getTokenUse } from '../../platform/http/public.decorator.js';
import type { Quota, RateLimitPolicy } from '../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiterService } from '../../platform/rate-limiting/rate-limiter.service.js';
import type { RequestWithCaller } from './caller.decorator.js';
import { RequireScope } from './require-scope.decorator.js';
import { SCOPE_ACCESS } from './scopes.js';

/** A policy, and the error message of a 429. */
interface CallPolicy extends RateLimitPolicy {
  reason: string;
}

/** The policies of a kind of route. */
interface CallPolicies {
  /** Calls of one app for one account. */
  app: CallPolicy;
  /** Calls of all apps for one account. */
  account: CallPolicy;
}

const APP_REASON = 'Too many requests from this app.';
const ACCOUNT_REASON = 'Too many requests from all apps of this person.';

/** Factor between the limit of one app and the limit of all apps of a person. */
export const ALL_APPS_FACTOR = 3;

function createCallPolicies(name: 'reads' | 'writes', limit: number): CallPolicies {
  return {
    app: { name, limit, windowSeconds: 60, reason: APP_REASON },
    account: {
      name: `${name}-of-all-apps`,
      limit: ALL_APPS_FACTOR * limit,
      windowSeconds: 60,
      reason: ACCOUNT_REASON,
    },
  };
}

/** Calls without a token from one network. */
const ANONYMOUS_POLICY: CallPolicy = {
  name: 'anonymous',
  limit: 60,
  windowSeconds: 60,
  reason: 'Too many requests from this network.',
};

/** Responses with status 304 to one person, or to one network without a token. */
const NOT_MODIFIED_POLICY: RateLimitPolicy = { name: 'not-modified', limit: 600, windowSeconds: 60 };

/**
 * Limits API calls by app and account and, across all apps, by account. Without a token it limits
 * them by network. Runs after the scope guard.
 */
@Injectable()
export class ApiRateLimitGuard implements CanActivate {
  /** The policies of routes with a read scope and with a write scope. */
  private readonly policies: Record<'read' | 'write', CallPolicies>;

  constructor(
    private readonly reflector: Reflector,
    private readonly rateLimiter: RateLimiterService,
    { API_READ_LIMIT, API_WRITE_LIMIT }: Settings,
  ) {
    this.policies = {
      read: createCallPolicies('reads', API_READ_LIMIT),
      write: createCallPolicies('writes', API_WRITE_LIMIT),
    };
  }

  /** @throws ApiError 429 `rate_limited` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<RequestWithCaller>(), http.getResponse<Response>()];
    const quotas = this.listQuotas(context, request);
    if (quotas.length === 0) return true;
    const { isExceeded, policy, headers } = await this.rateLimiter.consume(...quotas);
    if (isExceeded) throw createRateLimitedError(headers, policy.reason);
    response.set(headers);
    // Only for a named entity tag: `*` would give every call the larger limit.
    if (request.headers['if-none-match']?.includes('"')) this.countNotModified(request, response, quotas);
    return true;
  }

  /** Counts a 304 against a larger limit of its own, until that is used up. */
  private countNotModified({ caller }: RequestWithCaller, response: Response, quotas: Quota[]): void {
    const notModified = { policy: NOT_MODIFIED_POLICY, key: caller?.accountId ?? getClientNetworkPrefix() };
    if (this.rateLimiter.peek(notModified).isExceeded) return;
    response.once('finish', () => {
      if (response.statusCode !== 304) return;
      void this.rateLimiter.consume(notModified);
      void this.rateLimiter.refund(...quotas);
    });
  }

  /** Only routes that accept an access token are limited here; pages and metadata are not. */
  private listQuotas(context: ExecutionContext, { caller }: RequestWithCaller): Quota<CallPolicy>[] {
    const handler = context.getHandler() as () => unknown;
    const scope = this.reflector.get(RequireScope, handler);
    if (!scope && getTokenUse(this.reflector, handler, context.getClass()) !== 'optional-token') return [];
    if (!caller) return [{ policy: ANONYMOUS_POLICY, key: getClientNetworkPrefix() }];
    const policies = this.policies[scope && SCOPE_ACCESS[scope] === 'write' ? 'write' : 'read'];
    return [
      { policy: policies.app, key: `${caller.appId} ${caller.accountId}` },
      { policy: policies.account, key: caller.accountId },
    ];
  }
}

/** Creates the 429 for exceeded limits. @param headers of the limit, with `Retry-After` */
export function createRateLimitedError(headers: Record<string, string>, reason = APP_REASON): ApiError {
  const message = `${reason} Try again in ${headers['Retry-After']} seconds.`;
  return new ApiError(429, 'rate_limited', message, { headers });
}
