import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { getClientNetworkPrefix } from '../../platform/http/client-address.js';
import type { Quota, RateLimitPolicy } from '../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiterService } from '../../platform/rate-limiting/rate-limiter.service.js';
import type { Caller } from './caller.decorator.js';

/** A policy, and the error message of a 429. */
interface CallPolicy extends RateLimitPolicy {
  reason: string;
}

/** The policies of a kind of call. */
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

/** Calls without a token from one network. */
const ANONYMOUS_POLICY: CallPolicy = {
  name: 'anonymous',
  limit: 60,
  windowSeconds: 60,
  reason: 'Too many requests from this network.',
};

/** Limits calls by app and account and, across all apps, by account. */
@Injectable()
export class ApiRateLimitsService {
  /** The policies of calls that need a read scope, and of calls that need a write scope. */
  private readonly policies: Record<'read' | 'write', CallPolicies>;

  constructor(
    private readonly rateLimiter: RateLimiterService,
    { API_READ_LIMIT, API_WRITE_LIMIT }: Settings,
  ) {
    this.policies = {
      read: createCallPolicies('reads', API_READ_LIMIT),
      write: createCallPolicies('writes', API_WRITE_LIMIT),
    };
  }

  /** Returns the limits of a call. @param caller undefined for a call without a token */
  listQuotas(access: 'read' | 'write', caller: Caller | undefined): Quota<CallPolicy>[] {
    if (!caller) return [{ policy: ANONYMOUS_POLICY, key: getClientNetworkPrefix() }];
    const { app, account } = this.policies[access];
    return [
      { policy: app, key: `${caller.appId} ${caller.accountId}` },
      { policy: account, key: caller.accountId },
    ];
  }

  /** Counts a call. @returns the headers of the response @throws DomainError `rate_limited` */
  async consume(quotas: Quota<CallPolicy>[]): Promise<Record<string, string>> {
    const { isExceeded, policy, headers } = await this.rateLimiter.consume(...quotas);
    if (isExceeded) throw createRateLimitedError(headers, policy.reason);
    return headers;
  }
}

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

/** The limit of a call is exceeded. @param headers of the limit, with `Retry-After` */
export function createRateLimitedError(headers: Record<string, string>, reason = APP_REASON): DomainError {
  const message = `${reason} Try again in ${headers['Retry-After']} seconds.`;
  return new DomainError('rate_limited', 'rate_limited', message, { rateLimitHeaders: headers });
}
