import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { getClientNetworkPrefix } from '../../platform/http/client-address.js';
import { getTokenUse } from '../../platform/http/public.decorator.js';
import type { RenderingResponse } from '../../platform/http/rendered-json.js';
import type { Quota, RateLimitPolicy } from '../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiterService } from '../../platform/rate-limiting/rate-limiter.service.js';
import { ApiRateLimitsService, createRateLimitedError } from './api-rate-limits.service.js';
import type { RequestWithCaller } from './caller.decorator.js';
import { RequireScope } from './require-scope.decorator.js';
import { SCOPE_ACCESS } from './scopes.js';

/** Responses with status 304 to one person, or to one network without a token. */
const NOT_MODIFIED_POLICY: RateLimitPolicy = { name: 'not-modified', limit: 600, windowSeconds: 60 };

const NOT_MODIFIED_REASON = 'Too many responses with status 304.';

/**
 * Limits API calls by app and account and, across all apps, by account. Without a token it limits
 * them by network. Runs after the scope guard.
 */
@Injectable()
export class ApiRateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly limits: ApiRateLimitsService,
    private readonly rateLimiter: RateLimiterService,
  ) {}

  /** @throws DomainError `rate_limited` */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const handler = context.getHandler() as () => unknown;
    const scope = this.reflector.get(RequireScope, handler);
    // Only routes that accept an access token are limited here; pages and metadata are not.
    if (!scope && getTokenUse(this.reflector, handler, context.getClass()) !== 'optional-token') return true;
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<RequestWithCaller>(), http.getResponse<RenderingResponse>()];
    const access = scope && SCOPE_ACCESS[scope] === 'write' ? 'write' : 'read';
    const quotas = this.limits.listQuotas(access, request.caller);
    response.set(await this.limits.consume(quotas));
    // Only for a named entity tag: `*` would give every call the larger limit.
    if (request.headers['if-none-match']?.includes('"')) this.countNotModified(request, response, quotas);
    return true;
  }

  /** Counts a 304 against a larger limit of its own. When that is used up, a 304 becomes a 429. */
  private countNotModified({ caller }: RequestWithCaller, response: RenderingResponse, quotas: Quota[]): void {
    const notModified = { policy: NOT_MODIFIED_POLICY, key: caller?.accountId ?? getClientNetworkPrefix() };
    const { isExceeded, headers } = this.rateLimiter.peek(notModified);
    if (isExceeded) {
      response.notModifiedError = createRateLimitedError(headers, NOT_MODIFIED_REASON);
      return;
    }
    response.once('finish', () => {
      if (response.statusCode !== 304) return;
      void this.rateLimiter.consume(notModified);
      void this.rateLimiter.refund(...quotas);
    });
  }
}
