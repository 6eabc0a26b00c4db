import { Injectable } from '@nestjs/common';
import type { SetCookie } from 'cookie';
import { getClientNetworkPrefix } from '../../platform/http/network-prefix.js';
import type { FieldError } from '../../platform/i18n/form-validation-error.js';
import type { RateLimitPolicy } from '../../platform/rate-limiting/rate-limit-policy.js';
import { RateLimiter } from '../../platform/rate-limiting/rate-limiter.service.js';
import { PageError } from '../../platform/views/page-error.js';
import { AccountsService } from './accounts.service.js';
import type { NewAccount } from './new-account.js';
import { AMR_PASSWORD, type Session } from './session.entity.js';
import { SignInService } from './sign-in.service.js';

/** Limits new accounts per network. */
const SIGN_UP_POLICY: RateLimitPolicy = { name: 'sign-ups', limit: 30, windowSeconds: 3600 };

/** Minimum length of a password, in code points (NIST SP 800-63B §5.1.1). */
const MIN_PASSWORD_LENGTH = 8;

/** Creates an account from the sign-up form and signs the person in. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly signIn: SignInService,
    private readonly rateLimiter: RateLimiter,
  ) {}

  /**
   * Creates an account and a session.
   * @param previous the session that the new one replaces
   * @returns the cookies of the session
   * @throws FormValidationError if a field is invalid
   * @throws PageError 429 if too many accounts were created from this network
   */
  async signUp(form: URLSearchParams, previous: Session | null): Promise<SetCookie[]> {
    const network = getClientNetworkPrefix();
    const rateLimit = this.rateLimiter.consume(SIGN_UP_POLICY, network);
    if (rateLimit.isExceeded) throw new PageError(429, 'tooManySignUps', undefined, rateLimit.headers);
    const newAccount = parseSignUpForm(form);
    const account = await this.accounts
      .create(newAccount, validatePasswordLength(newAccount.password))
      .catch((error: unknown) => {
        // Only created accounts count.
        this.rateLimiter.refund(SIGN_UP_POLICY, network);
        throw error;
      });
    return (await this.signIn.createSession({ account, amr: AMR_PASSWORD, previous }))?.cookies ?? [];
  }
}

function parseSignUpForm(form: URLSearchParams): NewAccount {
  const read = (field: string): string => form.get(field) ?? '';
  return {
    username: read('username').trim(),
    name: read('name'),
    email: read('email').trim(),
    password: read('password'),
  };
}

function validatePasswordLength(password: string): FieldError[] {
  return [...password].length < MIN_PASSWORD_LENGTH ? [{ field: 'password', code: 'passwordTooShort' }] : [];
}
