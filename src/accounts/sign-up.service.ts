import { Injectable } from '@nestjs/common';
import type { SetCookie } from 'cookie';
import { networkOfCaller } from '../http/network.js';
import { SIGN_UPS } from '../limits/policy.js';
import { RateLimits } from '../limits/rate-limits.js';
import { PageError } from '../views/page-error.js';
import { AccountsService } from './accounts.service.js';
import type { Session } from './session.entity.js';
import { SignInService } from './sign-in.service.js';

/** The shortest password that a person may choose (NIST SP 800-63B §5.1.1). */
const SHORTEST_PASSWORD = 8;

/** Making an account of one's own, and being signed in with it. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly signIn: SignInService,
    private readonly limits: RateLimits,
  ) {}

  /** @throws Problems; PageError 429 where many were made from this network */
  async signUp(form: URLSearchParams, previous: Session | null): Promise<SetCookie[]> {
    const network = networkOfCaller();
    const quota = await this.limits.take(SIGN_UPS, network);
    if (quota.isUsedUp) throw new PageError(429, 'manySignUps', undefined, quota.headers);
    const [username, name, email, password] = ['username', 'name', 'email', 'password'].map(
      (field) => form.get(field) ?? '',
    ) as [string, string, string, string];
    const given = { username: username.trim(), name, email: email.trim(), password };
    const isShort = [...password].length < SHORTEST_PASSWORD;
    const problems = isShort ? [{ field: 'password', code: 'passwordShort' } as const] : [];
    const account = await this.accounts.create(given, problems).catch((error: unknown) => {
      this.limits.giveBack(SIGN_UPS, network); // it was none
      throw error;
    });
    return this.signIn.cookiesFor(account, previous);
  }
}
