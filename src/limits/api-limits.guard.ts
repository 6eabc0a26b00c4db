import { Inject, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerRequest } from '@nestjs/throttler';
import type { Response } from 'express';
import { ApiError } from '../http/api-error.js';
import type { GuardedRequest } from '../scopes/caller.decorator.js';
import { whoCalls } from './api-limits.js';
import { RateLimits } from './rate-limits.js';

/** Lets an app call for a person so often and no oftener. An answer that nothing has changed (304) does not count. */
@Injectable()
export class ApiLimitsGuard extends ThrottlerGuard {
  @Inject() private readonly limits!: RateLimits;

  protected override shouldSkip(): Promise<boolean> {
    return Promise.resolve(!this.limits.areOn);
  }

  protected override async handleRequest({ context, throttler, limit, ttl }: ThrottlerRequest): Promise<boolean> {
    const http = context.switchToHttp();
    const [request, response] = [http.getRequest<GuardedRequest>(), http.getResponse<Response>()];
    const policy = { name: throttler.name!, most: limit, window: ttl / 1000 };
    const who = whoCalls(request);
    const { isUsedUp, headers } = await this.limits.take(policy, who);
    response.set(headers);
    if (isUsedUp) throw tooManyCalls(headers['Retry-After']!);
    // Only who names what they have spares us the answer; `*` would make all calls free.
    if (request.headers['if-none-match']?.includes('"')) {
      response.once('finish', () => response.statusCode === 304 && this.limits.giveBack(policy, who));
    }
    return true;
  }
}

export function tooManyCalls(seconds: string): ApiError {
  return new ApiError(429, 'rate_limited', `This app makes too many calls. Try again in ${seconds} seconds.`);
}
