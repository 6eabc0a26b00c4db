import { Injectable } from '@nestjs/common';
import type { SetCookie } from 'cookie';
import { getClientNetworkPrefix } from '../../platform/http/network-prefix.js';
import type { RateLimitPolicy } from '../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiter } from '../../platform/rate-limiting/rate-limiter.service.js';
import { PageError } from '../../platform/views/page-error.js';
import { AccountsService } from './accounts.service.js';
import type { Session } from './session.entity.js';
import { SignInService } from './sign-in.service.js';

/** New accounts from one network. */
const SIGN_UP_POLICY: RateLimitPolicy = { name: 'sign-ups', limit: 30, windowSeconds: 3600 };

/** The shortest password that a person may choose (NIST SP 800-63B §5.1.1). */
const MIN_PASSWORD_LENGTH = 8;

/** Making an account of one's own, and being signed in with it. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly signIn: SignInService,
    private readonly rateLimiter: RateLimiter,
  ) {}

  /** @throws Problems; PageError 429 where many were made from this network */
  async signUp(form: URLSearchParams, previous: Session | null): Promise<SetCookie[]> {
    const network = getClientNetworkPrefix();
    const quota = this.rateLimiter.consume(SIGN_UP_POLICY, network);
    if (quota.isExceeded) throw new PageError(429, 'tooManySignUps', undefined, quota.headers);
    const [username, name, email, password] = ['username', 'name', 'email', 'password'].map(
      (field) => form.get(field) ?? '',
    ) as [string, string, string, string];
    const given = { username: username.trim(), name, email: email.trim(), password };
    const isShort = [...password].length < MIN_PASSWORD_LENGTH;
    const problems = isShort ? [{ field: 'password', code: 'passwordTooShort' } as const] : [];
    const account = await this.accounts.create(given, problems).catch((error: unknown) => {
      this.rateLimiter.refund(SIGN_UP_POLICY, network); // it was none
      throw error;
    });
    return this.signIn.createSessionCookies(account, previous);
  }
}
