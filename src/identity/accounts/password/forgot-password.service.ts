import { Injectable } from '@nestjs/common';
import { getClientNetworkPrefix } from '../../../platform/http/client-address.js';
import type { RateLimitPolicy } from '../../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiterService } from '../../../platform/rate-limiting/rate-limiter.service.js';
import { PageError } from '../../../platform/views/page-error.js';
import { AccountMailService } from '../account-mail.service.js';
import { hideDuration } from './hide-duration.js';
import { ResetLinksService } from './reset-links.service.js';

/** Limits requested links per network. */
const LINK_REQUEST_POLICY: RateLimitPolicy = { name: 'reset-links', limit: 20, windowSeconds: 3600, isSecurity: true };

/** Sends a link to a person who forgot the password. */
@Injectable()
export class ForgotPasswordService {
  constructor(
    private readonly resetLinks: ResetLinksService,
    private readonly mail: AccountMailService,
    private readonly rateLimiter: RateLimiterService,
  ) {}

  /** Whether the service can send the links. */
  get isAvailable(): boolean {
    return this.mail.isAvailable;
  }

  /**
   * Sends a link to the address of an account. For an unknown login, the result and the time are
   * the same.
   * @throws PageError 429 after too many requests from this network
   */
  async sendLink(login: string): Promise<void> {
    const quota = { policy: LINK_REQUEST_POLICY, key: getClientNetworkPrefix() };
    const { isExceeded, headers } = await this.rateLimiter.consume(quota);
    if (isExceeded) throw new PageError(429, 'tooManyLinkRequests', undefined, headers);
    await hideDuration(() => this.resetLinks.send(login));
  }
}
